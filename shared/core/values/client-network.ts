import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Addresses that have their first bits in common: one of them, and how many bits. */
export type Networks = readonly (readonly [Address, number])[];

/**
 * An address in its one spelling, without a zone, IPv4 within IPv6 as IPv4; null for anything else. Only full forms
 * are addresses: `127.1` or `0x7f000001` are none.
 */
export function getSocketAddress(text: string): string | null {
  const bare = text.replace(/^([\da-f:.]+)%[\w.-]+$/i, '$1');
  if (isIP(bare) === 0 || (bare !== text && isIP(bare) === 4)) return null;
  return ipaddr.process(bare).toString();
}

function networkFrom(entry: string): Networks[number] | null {
  const [, address = '', bits] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(entry) ?? [];
  const own = getSocketAddress(address);
  if (own === null) return null;
  const most = isIP(own) === 4 ? 32 : 128;
  if (bits === undefined) return [ipaddr.parse(own), most];
  // Bits of IPv4 within IPv6 would be counted in another length than the address has.
  return isIP(own) === isIP(address) && Number(bits) <= most ? [ipaddr.parse(own), Number(bits)] : null;
}

/**
 * Reads networks in CIDR notation, or single addresses, between commas.
 * @returns null when one of them is neither
 */
export function parseNetworks(text: string): Networks | null {
  const entries = text.split(',').map((entry) => networkFrom(entry.trim()));
  return entries.every((entry) => entry !== null) ? entries : null;
}

/** Whether an address, as {@link getSocketAddress} spells it, lies in one of the networks. */
export function isWithin(address: string, networks: Networks): boolean {
  const own = ipaddr.parse(address);
  return networks.some(([network, bits]) => network.kind() === own.kind() && own.match(network, bits));
}

/** The IPv6 prefix assigned to one household or server: each host there has as many addresses as it likes. */
const IPV6_BITS = 64;

/**
 * What limits count a client by: its IPv4 address, or the /64 network of its IPv6 address
 * (decisions/0030-client-address.md).
 * @param address null where there is none; all such clients count as one
 */
export function getClientNetwork(address: string | null): string {
  const own = address === null ? null : getSocketAddress(address);
  if (own === null) return 'unknown';
  if (isIP(own) === 4) return own;
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${own}/${IPV6_BITS}`).toString()}/${IPV6_BITS}`;
}
