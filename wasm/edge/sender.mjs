/**
 * Whom the rate of requests is counted for. Of an IPv6 address it is the half
 * that names a network: of the other half a sender has all there are.
 */
export function sender(address) {
  if (!address.includes(":") || address.includes(".")) return address;
  const [start, end] = address.toLowerCase().split("::").map((half) => (half ? half.split(":") : []));
  const groups = end ? [...start, ...Array(Math.max(0, 8 - start.length - end.length)).fill("0"), ...end] : start;
  return `${groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
