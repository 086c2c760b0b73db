import ipaddr from 'ipaddr.js';

export type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The part of IPv6 that is allocated to the public internet; all other addresses are unassigned or private. */
const GLOBAL: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];

const at = (bytes: readonly number[], from: number) => new ipaddr.IPv4(bytes.slice(from, from + 4));
const turned = (bytes: readonly number[]) => bytes.map((byte) => byte ^ 0xff);

/** Networks whose addresses embed IPv4 addresses, at these bytes. */
const STAND_INS: { network: [ipaddr.IPv6, number]; inside: (bytes: number[]) => ipaddr.IPv4[] }[] = [
  // Mapped and compatible ones (RFC 4291), translated ones (RFC 7915), NAT64 (RFC 6052).
  ...['::ffff:0:0', '::', '::ffff:0:0:0', '64:ff9b::'].map((network) => ({
    network: [ipaddr.IPv6.parse(network), 96] as [ipaddr.IPv6, number],
    inside: (bytes: number[]) => [at(bytes, 12)],
  })),
  // 6to4 (RFC 3056).
  { network: [ipaddr.IPv6.parse('2002::'), 16], inside: (bytes) => [at(bytes, 2)] },
  // Teredo (RFC 4380): its server, and the client with every bit turned round.
  { network: [ipaddr.IPv6.parse('2001::'), 32], inside: (bytes) => [at(bytes, 4), at(turned(bytes), 12)] },
];

/** ISATAP (RFC 5214): in a network with any prefix, an interface id that contains the IPv4 address of the target. */
function isatap(bytes: number[]): ipaddr.IPv4[] {
  const [flags = 0, ...rest] = bytes.slice(8, 12);
  return (flags & ~0x02) === 0 && rest.join() === '0,94,254' ? [at(bytes, 12)] : [];
}

/**
 * The addresses that packets to an address may reach: the address itself, or the IPv4 addresses it embeds. A packet to
 * any IPv6 address that embeds an IPv4 address may be delivered to the latter.
 * @param text an address that `ipaddr` can parse
 */
export function reachedBy(text: string): Address[] {
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv4) return [address];
  if (['loopback', 'unspecified'].includes(address.range())) return [address];
  const bytes = address.toByteArray();
  const standIn = STAND_INS.find(({ network }) => address.match(network));
  return standIn ? standIn.inside(bytes) : [address, ...isatap(bytes)];
}

/** `unicast` for an address of the open internet, else what it is instead. */
export function getAddressRange(address: Address): string {
  const range = address.range();
  if (range !== 'unicast' || address instanceof ipaddr.IPv4) return range;
  return address.match(GLOBAL) ? range : 'reserved';
}
