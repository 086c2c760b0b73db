import type { Context as KoaContext } from 'koa';
import type { Context } from '../../shared/core/context.js';
import { BadParams } from '../../shared/core/errors.js';
import type { List } from '../../shared/core/list.js';
import { readOffsetPage } from '../../shared/core/list.js';
import type { Bag } from './bag.js';

export const DEFAULT_PER_PAGE = 20;
export const MAX_PER_PAGE = 100;

function wholeNumber(bag: Bag, name: string, fallback: number): number {
  const given = bag[name];
  if (given === undefined || given === null || given === '') return fallback;
  const text = typeof given === 'number' ? String(given) : given;
  if (typeof text !== 'string' || !/^[+-]?\d{1,15}$/.test(text)) throw new BadParams([`${name} is invalid`]);
  return Number(text);
}

/** `per_page`: above 100 is cut to 100, 0 and below is refused (rest-conventions.md section 7). */
export function perPageOf(bag: Bag): number {
  const perPage = wholeNumber(bag, 'per_page', DEFAULT_PER_PAGE);
  if (perPage < 1) throw new BadParams(['per_page has a value not allowed']);
  return Math.min(perPage, MAX_PER_PAGE);
}

/** The page's URL on the configured external URL, with all other query parameters repeated. */
function pageUrl(koa: KoaContext, ctx: Context, changes: Record<string, string>): string {
  const query = new URLSearchParams(koa.querystring);
  // A credential in the query is the caller's own; a link that is logged or shared must not carry it.
  for (const secret of ['private_token', 'access_token']) query.delete(secret);
  for (const [name, value] of Object.entries(changes)) query.set(name, value);
  return `${ctx.config.externalUrl}${koa.path}?${query.toString()}`;
}

/** Reads one page by offset and sets `Link` and the `x-` headers. */
export async function offsetPage<T>(koa: KoaContext, ctx: Context, bag: Bag, list: List<T>): Promise<T[]> {
  const page = Math.max(wholeNumber(bag, 'page', 1), 1);
  const perPage = perPageOf(bag);
  const { records, hasNext, total } = await readOffsetPage(ctx, list, page, perPage);
  const totalPages = total === null ? null : Math.max(Math.ceil(total / perPage), 1);
  const previous = page > 1 && (totalPages === null ? records.length > 0 : page - 1 <= totalPages) ? page - 1 : null;
  const url = (number: number) => pageUrl(koa, ctx, { page: String(number), per_page: String(perPage) });
  const links: string[] = [];
  if (previous !== null) links.push(`<${url(previous)}>; rel="prev"`);
  if (hasNext) links.push(`<${url(page + 1)}>; rel="next"`);
  links.push(`<${url(1)}>; rel="first"`);
  if (totalPages !== null) links.push(`<${url(totalPages)}>; rel="last"`);
  koa.set('Link', links.join(', '));
  koa.set('X-Next-Page', hasNext ? String(page + 1) : '');
  koa.set('X-Page', String(page));
  koa.set('X-Per-Page', String(perPage));
  koa.set('X-Prev-Page', previous === null || records.length === 0 ? '' : String(previous));
  if (total !== null) {
    koa.set('X-Total', String(total));
    koa.set('X-Total-Pages', String(totalPages));
  }
  return records;
}
