/**
 * The client for rate limiting. Of an IPv6 address only the network half counts: a
 * client controls all addresses of the other half.
 */
export function sender(address) {
  if (!address.includes(":") || address.includes(".")) return address;
  const [start, end] = address.toLowerCase().split("::").map((half) => (half ? half.split(":") : []));
  const groups = end ? [...start, ...Array(Math.max(0, 8 - start.length - end.length)).fill("0"), ...end] : start;
  return `${groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, "")).join(":")}::/64`;
}
