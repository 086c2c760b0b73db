/** Hosts for which `http` is sufficient: requests stay on the browser's machine. */
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);
/** They run or show something in the browser instead of leading to the application. */
const FORBIDDEN = new Set(['javascript:', 'vbscript:', 'data:', 'blob:', 'file:', 'about:', 'view-source:']);
const URIS_AT_MOST = 100;

const isWeb = (url: URL) => url.protocol === 'https:' || url.protocol === 'http:';

/** Registered URIs as they are sent: one a line. */
export const getRedirectUris = (text: string): string[] => text.split(/\s+/).filter((uri) => uri !== '');

/**
 * `native` for applications on the user's machine: they have schemes of their own, and a loopback port that differs
 * each time. `web` for all others.
 */
export function applicationType(uris: readonly string[], confidential: boolean): 'native' | 'web' {
  const urls = uris.map((uri) => new URL(uri));
  const ownScheme = urls.some((url) => !isWeb(url));
  const onlyLoopback = !confidential && urls.every((url) => url.protocol === 'http:' && LOOPBACK.has(url.hostname));
  return ownScheme || onlyLoopback ? 'native' : 'web';
}

function uriProblem(uri: string): string | null {
  if (!URL.canParse(uri)) return 'must be an absolute URI.';
  const url = new URL(uri);
  if (FORBIDDEN.has(url.protocol)) return 'is forbidden by the server.';
  if (uri.includes('#')) return 'cannot contain a fragment.';
  if (url.username !== '' || url.password !== '') return 'cannot contain credentials.';
  if (isWeb(url) && url.hostname.includes('*')) return 'cannot contain a wildcard.';
  return null;
}

/** The problem with an application's redirect URIs, or null. */
export function redirectUriProblem(uris: readonly string[]): string | null {
  if (uris.length === 0) return "can't be blank";
  if (uris.length > URIS_AT_MOST) return `is too long (maximum is ${URIS_AT_MOST} URIs)`;
  const problem = uris.map(uriProblem).find((found) => found !== null);
  if (problem) return problem;
  const urls = uris.map((uri) => new URL(uri));
  // An application with a custom scheme runs on the user's machine, so its http servers must be there as well.
  const mixed = urls.some((url) => !isWeb(url)) && urls.some(isElsewhere);
  return mixed ? 'must be an HTTPS/SSL URI.' : null;
}

const isElsewhere = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' ? !LOOPBACK.has(hostname) : protocol === 'https:' && LOOPBACK.has(hostname);
