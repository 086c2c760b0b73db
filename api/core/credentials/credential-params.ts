import { decodePercent } from '../nested-params.js';

/**
 * Parameters that hold a credential (rest-conventions.md section 2). `sudo` is not one: it selects the user to act as.
 */
const CREDENTIALS: ReadonlySet<string> = new Set(['private_token', 'access_token', 'job_token']);

/** The name of a pair such as `private%5Ftoken[]=x`, without brackets. */
function getName(pair: string): string {
  const name = decodePercent((pair.split('=', 1)[0] as string).replaceAll('+', ' '));
  return (name.split('[', 1)[0] as string).trim().toLowerCase();
}

/**
 * A query string without the credentials in it, however they are written; all else stays as it came. A URL that is
 * answered may be logged or passed on, and must not open anything.
 */
export function withoutCredentials(query: string): string {
  return query
    .split('&')
    .filter((pair) => !CREDENTIALS.has(getName(pair)))
    .join('&');
}
