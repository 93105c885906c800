// Bodies of requests, whole.

/** Bytes of a refused body that are still read: who sends all of it before reading the answer then gets to see it. */
const DRAIN = 16 << 20;
/** Bytes of all bodies that are held at once: an isolate has 128 MB for all its requests. */
const ROOM = 32 << 20;
/** Bytes to read at a time: with the platform's own 4 kB a large body costs seven times the processor time. */
const PART = 64 << 10;
/** Milliseconds without a byte after which a body gives up its room if others want it. */
const STALE = 10_000;

/** The bodies that are being read. Of a request that the platform has given up nothing is heard: it stays until it is stale. */
const open = new Set();

/**
 * Returns the bytes, and the fault where they are not the whole body: "long" has
 * more than `most`, "cut" ended early, "busy" came while others had all the room.
 */
export async function read(request, most) {
  const body = { parts: [], own: 0, fault: "", at: Date.now() };
  if (!request.body) return { bytes: whole(body), fault: "" };
  if (Number(request.headers.get("content-length")) > most + DRAIN) return { bytes: whole(body), fault: "long" };
  open.add(body);
  try {
    const reader = request.body.getReader({ mode: "byob" });
    let length = 0;
    for (let buffer = new ArrayBuffer(PART); ; ) {
      const { done, value } = await reader.read(new Uint8Array(buffer));
      if (done) break;
      length += value.length;
      body.at = Date.now();
      if (length > most) drop(body, "long");
      else if (!fits(body, value.length)) drop(body, "busy");
      if (length > most + DRAIN) {
        await reader.cancel();
        break;
      }
      if (!body.fault) {
        body.parts.push(value.slice());
        body.own += value.length;
      }
      buffer = value.buffer;
    }
  } catch {
    // The sender is gone, most often.
    drop(body, "cut");
  } finally {
    open.delete(body);
  }
  return { bytes: whole(body), fault: body.fault };
}

/** Whether there is room for more of a body; one alone has all it wants. */
function fits(body, size) {
  let others = 0;
  for (const other of open) {
    if (other === body) continue;
    if (body.at - other.at > STALE) {
      open.delete(other);
      drop(other, "cut");
    } else others += other.own;
  }
  return others === 0 || others + body.own + size <= ROOM;
}

function drop(body, fault) {
  body.parts = [];
  body.own = 0;
  body.fault ||= fault;
}

function whole({ parts, own }) {
  if (parts.length === 1) return parts[0];
  const bytes = new Uint8Array(own);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
