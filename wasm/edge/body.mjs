// Reads complete request bodies.

/** Bytes of a refused body that are still read, so that clients that send everything before reading get the answer. */
const DRAIN = 16 << 20;
/** Maximum bytes of all bodies in memory: an isolate has 128 MB for all its requests. */
const ROOM = 32 << 20;
/** Bytes per read: with the platform's default of 4 kB a large body costs seven times the CPU time. */
const PART = 64 << 10;
/** Milliseconds without a byte after which a body yields its memory to others. */
const STALE = 10_000;

/** The bodies being read. The platform does not report abandoned requests: they stay until they are stale. */
const open = new Set();

/**
 * Returns the bytes, and a fault if they are not the whole body: "long" exceeds
 * `most`, "cut" ended early, "busy" found no memory left by others.
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
    // Usually the client has disconnected.
    drop(body, "cut");
  } finally {
    open.delete(body);
  }
  return { bytes: whole(body), fault: body.fault };
}

/** Whether there is memory for more of a body; a single one is always allowed. */
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
