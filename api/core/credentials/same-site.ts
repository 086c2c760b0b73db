import type { Context as KoaContext } from 'koa';

/** Host and port of a URL as browsers send it in `Origin`; empty for values that are not URLs, such as `null`. */
function getHost(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}

/**
 * Whether a request may come from this service's pages, or from no page at all. Browsers send the origin of a request
 * in `Sec-Fetch-Site` or, if that is missing, as over plain http, in `Origin`. Other programs send neither, and carry
 * no cookies set by other sites. For requests that have no session yet, and so no CSRF token.
 * @param externalUrl the address of this service for browsers; a proxy may use another host name
 */
export function isFromHere(koa: KoaContext, externalUrl: string): boolean {
  const site = koa.get('sec-fetch-site');
  if (site !== '') return site === 'same-origin' || site === 'none';
  const origin = koa.get('origin');
  if (origin === '' || origin === new URL(externalUrl).origin) return true;
  return koa.host !== '' && getHost(origin) === koa.host.toLowerCase();
}

/** For comparing only; nothing is sent there. */
const HERE = 'http://here.invalid';

/**
 * The path, query and fragment to go to within this service; null for what would lead anywhere else, however it is
 * spelled.
 * @param target as a caller gave it: a path, or a URL of this service
 * @param externalUrl where browsers find this service
 */
export function pathWithin(target: unknown, externalUrl: string): string | null {
  if (typeof target !== 'string' || target === '' || !URL.canParse(target, HERE)) return null;
  const { origin, pathname, search, hash } = new URL(target, HERE);
  const isPath = origin === HERE && target.startsWith('/');
  if (!isPath && origin !== new URL(externalUrl).origin) return null;
  // `/.//elsewhere` is a path that would be parsed as a host once it is used alone.
  return pathname.startsWith('//') ? null : pathname + search + hash;
}
