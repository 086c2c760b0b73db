import { lookup } from 'node:dns/promises';
import ipaddr from 'ipaddr.js';
import type { Context } from '../context/context.js';
import { getAddressRange, reachedBy } from './outbound-addresses.js';

/**
 * The service is not allowed to, or cannot, send requests to this host: the message states the reason, for the user who
 * configured it.
 */
export class OutboundRejectedError extends Error {}

const BLOCKED_RANGES: Record<string, string> = {
  loopback: 'Requests to localhost are not allowed',
  unspecified: 'Requests to localhost are not allowed',
  linkLocal: 'Requests to the link local network are not allowed',
};

/** Brackets of an IPv6 address in a URL, and the dot of a full name, are not part of it. */
const bare = (host: string) =>
  host
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
    .toLowerCase();

/** Whether administrators allow requests to this host or address although it is local. */
function listed(ctx: Context, host: string, address: string): boolean {
  return ctx.settings.outbound_local_requests_whitelist.some((entry) => {
    if (entry.toLowerCase() === host) return true;
    if (!ipaddr.isValidCIDR(entry)) return ipaddr.isValid(entry) && ipaddr.process(entry).toString() === address;
    const [network, bits] = ipaddr.parseCIDR(entry);
    const own = ipaddr.process(address);
    return own.kind() === network.kind() && own.match(network, bits);
  });
}

/** The reason that an address must not be requested, or null. Addresses outside the public internet are local. */
function addressProblem(ctx: Context, host: string, address: string): string | null {
  if (ctx.settings.allow_local_requests_from_web_hooks_and_services) return null;
  if (listed(ctx, host, ipaddr.process(address).toString())) return null;
  const local = reachedBy(address).find(
    (reached) => getAddressRange(reached) !== 'unicast' && !listed(ctx, host, reached.toString()),
  );
  return local ? (BLOCKED_RANGES[getAddressRange(local)] ?? 'Requests to the local network are not allowed') : null;
}

/** Whether this is the address of the service itself, which is always allowed. */
function isOwnAddress(ctx: Context, url: URL): boolean {
  const own = new URL(ctx.config.externalUrl);
  return url.protocol === own.protocol && url.host === own.host;
}

/**
 * The reason that the service must not request this URL, as far as known without resolving its host name: for an early
 * error. {@link addressesToAsk} makes the final decision.
 * @returns null when nothing is wrong so far
 */
export function outboundProblem(ctx: Context, url: URL): string | null {
  const host = bare(url.hostname);
  if (host === '') return 'Host cannot be resolved or invalid';
  if (isOwnAddress(ctx, url)) return null;
  if (host === 'localhost') return addressProblem(ctx, host, '127.0.0.1');
  return ipaddr.isValid(host) ? addressProblem(ctx, host, host) : null;
}

/**
 * The addresses to connect to for a URL that a user entered, best first. Clients must connect to one of these, because
 * the name may resolve to others on the next lookup. Every address of the name must be allowed.
 * @returns at least one
 * @throws OutboundRejectedError
 */
export async function addressesToAsk(ctx: Context, url: URL): Promise<string[]> {
  const host = bare(url.hostname);
  const found = (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);
  if (found.length === 0) throw new OutboundRejectedError('Host cannot be resolved or invalid');
  if (isOwnAddress(ctx, url)) return found;
  for (const address of found) {
    const problem = addressProblem(ctx, host, address);
    if (problem) throw new OutboundRejectedError(problem);
  }
  return found;
}

/** A name may have any number of addresses, and each that is silent takes its time. */
const TRIED_AT_MOST = 4;

/** Tries the first few addresses in order until one answers. @throws the error of the last attempt */
export async function firstToAnswer<T>(addresses: readonly string[], ask: (address: string) => Promise<T>): Promise<T> {
  let failure: unknown;
  for (const address of addresses.slice(0, TRIED_AT_MOST)) {
    try {
      return await ask(address);
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
