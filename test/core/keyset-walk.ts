import type { ExecutionContext } from 'ava';
import type { Answer, Client } from './client.js';

/* Tests for every list with keyset pagination. An area with such a list uses these in its own test. */

/** A requested list, and its expected result. */
export interface KeysetList {
  as: Client;
  /** Path and query below `/api/v4`, without paging. */
  path: string;
  /** The values of the identifying key, in the order that the list must have. */
  expected: unknown[];
  key: string;
}

/** One row of the interface document's table 4.0.8a, made ready by its `ready`. */
export interface Resource {
  /** `order_by` and `sort` that are offered. */
  order: string;
  /** Orders that are not, for the same callers. */
  unsupportedOrders: readonly string[];
  by: readonly ('anonymous' | 'user')[];
  ready: (by: 'anonymous' | 'user') => Promise<KeysetList>;
}

export const NEWEST = 'order_by=id&sort=desc';
const UNSUPPORTED = { error: 'Keyset pagination is not yet available for this type of request' };

const PAGING = ['x-page', 'x-per-page', 'x-next-page', 'x-prev-page', 'x-total', 'x-total-pages'];

const joined = (path: string, query: string) => `${path}${path.endsWith('?') ? '' : '&'}${query}`;

/** The path below `/api/v4` that the one `next` link names; null without a `Link` header. */
function getNext({ headers }: Answer): string | null {
  const link = headers.get('link');
  if (link === null) return null;
  const [, url] = /^<([^<>]*)>; rel="next"$/.exec(link) ?? [];
  if (url === undefined) throw new Error(`Link: ${link}`);
  const { pathname, search } = new URL(url);
  return pathname.slice('/api/v4'.length) + search;
}

/** Walks a resource to its end, and returns its violations of the interface document's rules 8 and 8a. */
async function walk({ as, path, expected, key }: KeysetList, order: string): Promise<string[]> {
  const problems: string[] = [];
  const values: unknown[] = [];
  let next: string | null = joined(path, `pagination=keyset&${order}&per_page=2`);
  for (let turn = 0; next !== null && turn < 10; turn += 1) {
    const answer: Answer = await as.get(next);
    if (answer.status !== 200) return [`${next}: ${answer.status} ${answer.text}`];
    const records = answer.body as Record<string, unknown>[];
    if (records.length > 2) problems.push(`${next}: ${records.length} records`);
    for (const name of PAGING) if (answer.headers.has(name)) problems.push(`${next}: has ${name}`);
    values.push(...records.map((record) => record[key]));
    const following: string | null = getNext(answer);
    if ((following === null) !== (records.length === 0))
      problems.push(`${next}: ${records.length} records, Link ${following}`);
    for (const part of following === null ? [] : (path.split('?')[1]?.split('&') ?? []))
      if (part !== '' && !following?.includes(part)) problems.push(`${following}: lost ${part}`);
    next = following;
  }
  if (next !== null) problems.push('it never ends');
  if (JSON.stringify(values) !== JSON.stringify(expected))
    problems.push(`${path} ${order}: ${JSON.stringify(values)} instead of ${JSON.stringify(expected)}`);
  return problems;
}

/** Holds one resource to the interface document: the walk, the orders that are refused, and the sizes of pages. */
export async function holdsByKeyset(
  t: ExecutionContext,
  { order, unsupportedOrders, by, ready }: Resource,
): Promise<void> {
  for (const caller of by) {
    const list = await ready(caller);
    const { as, path, expected } = list;
    t.deepEqual(await walk(list, order), [], `${caller}: ${order}`);
    const get = (query: string) => as.get(joined(path, `pagination=keyset&${query}`));
    for (const other of unsupportedOrders) {
      const { status, body } = await get(other);
      t.deepEqual({ status, body }, { status: 405, body: UNSUPPORTED }, `${caller}: ${other}`);
    }
    for (const size of ['', '&per_page=1000']) t.is((await get(`${order}${size}`)).body.length, expected.length, size);
    const none = await get(`${order}&per_page=0`);
    t.deepEqual([none.status, none.body], [400, { error: 'per_page has a value not allowed' }]);
  }
}

/** Anonymous callers cannot use keyset pagination for the resource, even if they may read it. */
export async function closedByKeyset(
  t: ExecutionContext,
  anonymous: Client,
  { path }: KeysetList,
  status: 401 | 405,
): Promise<void> {
  const answer = await anonymous.get(joined(path, `pagination=keyset&${NEWEST}`));
  t.is(answer.status, status);
  t.deepEqual(answer.body, status === 405 ? UNSUPPORTED : { message: '401 Unauthorized' });
}

export const OLDEST = ['order_by=id&sort=asc'];
