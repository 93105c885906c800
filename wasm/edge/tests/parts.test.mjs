// The Worker's own scripts, without workerd.

import assert from "node:assert/strict";
import { test } from "node:test";

import { read } from "../body.mjs";
import { sender } from "../sender.mjs";

const MB = 1 << 20;

/** A request whose body comes when it is sent. */
function request(headers = {}) {
  let controller;
  const body = new ReadableStream({ type: "bytes", start: (c) => void (controller = c) });
  return {
    body,
    headers: new Headers(headers),
    send: (bytes) => controller.enqueue(new Uint8Array(bytes).fill(7)),
    end() {
      controller.close();
      controller.byobRequest?.respond(0);
    },
    fail: () => controller.error(new Error("gone")),
  };
}

const seen = () => new Promise((done) => setTimeout(done, 50));

test("a body is read whole", async () => {
  const sent = request();
  const body = read(sent, 200_000);
  for (const n of [1, 70_000, 100_000]) sent.send(n);
  sent.end();
  const { bytes, fault } = await body;
  assert.deepEqual([bytes.length, fault, bytes.every((b) => b === 7)], [170_001, "", true]);
  assert.deepEqual(await read({ body: null, headers: new Headers() }, 10), { bytes: new Uint8Array(), fault: "" });
});

test("what is wrong with a body", async () => {
  const cut = request();
  const read1 = read(cut, 10);
  cut.send(3);
  cut.fail();
  assert.deepEqual(await read1, { bytes: new Uint8Array(), fault: "cut" });
  const long = request();
  const read2 = read(long, 10);
  long.send(11);
  long.end();
  assert.deepEqual(await read2, { bytes: new Uint8Array(), fault: "long" });
  const endless = request();
  const read3 = read(endless, 10);
  for (let i = 0; i < 17; i++) endless.send(MB);
  assert.equal((await read3).fault, "long");
  assert.equal((await read(request({ "content-length": String(99 * MB) }), 10)).fault, "long");
});

test("bodies have room for 32 MB between them; who stands still gives up its own", async (t) => {
  t.mock.timers.enable({ apis: ["Date"] });
  const slow = [request(), request()];
  const bodies = slow.map((one) => read(one, 40 * MB));
  slow[0].send(20 * MB);
  await seen();
  slow[1].send(11 * MB);
  await seen();
  const more = request();
  const refused = read(more, 40 * MB);
  more.send(2 * MB);
  more.end();
  assert.equal((await refused).fault, "busy");
  t.mock.timers.tick(10_001);
  slow[1].send(1);
  await seen();
  const later = request();
  const taken = read(later, 40 * MB);
  later.send(2 * MB);
  later.end();
  assert.deepEqual([(await taken).fault, (await taken).bytes.length], ["", 2 * MB]);
  slow.forEach((one) => one.end());
  assert.deepEqual((await Promise.all(bodies)).map(({ fault, bytes }) => [fault, bytes.length]), [["cut", 0], ["", 11 * MB + 1]]);
  // Alone a body has all the room that it is allowed.
  const large = request();
  const whole = read(large, 50 * MB);
  large.send(45 * MB);
  large.end();
  assert.equal((await whole).bytes.length, 45 * MB);
});

test("whom requests are counted for", () => {
  for (const [address, key] of [
    ["192.0.2.1", "192.0.2.1"],
    ["", ""],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
    ["2001:DB8:1:2::9", "2001:db8:1:2::/64"],
    ["2001:0db8:0001:0002:0000::9", "2001:db8:1:2::/64"],
    ["2001:db8::9", "2001:db8:0:0::/64"],
    ["::1", "0:0:0:0::/64"],
    ["1::", "1:0:0:0::/64"],
    ["::ffff:192.0.2.1", "::ffff:192.0.2.1"],
  ]) assert.equal(sender(address), key);
});
