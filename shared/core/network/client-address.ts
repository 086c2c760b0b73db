import { getSocketAddress, isWithin } from '../values/client-network.js';
import type { Networks } from '../values/client-network.js';

/** Maximum number of entries to read: a client can put as many before those of the proxies as a header holds. */
const MOST_PROXIES = 32;

const IN_BRACKETS = /^\[([\da-f:.]*:[\da-f:.]*)\](?::\d{1,5})?$/i;
const WITH_PORT = /^(\d{1,3}(?:\.\d{1,3}){3}):\d{1,5}$/;

/** The address in one entry of the header, with or without brackets and port; null for `unknown` and all else. */
function addressIn(entry: string): string | null {
  const text = entry.trim();
  return getSocketAddress(IN_BRACKETS.exec(text)?.[1] ?? WITH_PORT.exec(text)?.[1] ?? text);
}

/**
 * The address of the client behind a connection. Each proxy appends the address of its peer at the right end of
 * `X-Forwarded-For`; entries left of the first address that is not a trusted proxy may be forged. An entry that is not
 * an address ends the search: the result is then the address closest to the client so far.
 * @param peer the address of the socket; undefined if it has none
 * @param forwardedFor all such headers, in their order, joined by commas
 */
export function clientAddress(peer: string | undefined, forwardedFor: string, trusted: Networks): string | null {
  let address = peer === undefined ? null : getSocketAddress(peer);
  let end = forwardedFor.length;
  for (let hop = 0; hop < MOST_PROXIES && end >= 0; hop += 1) {
    if (address === null || !isWithin(address, trusted)) return address;
    // Where nothing is left of it, there is no comma and no entry.
    const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1);
    const next = addressIn(forwardedFor.slice(comma + 1, end));
    if (next === null) return address;
    address = next;
    end = comma;
  }
  return address;
}
