import type { Context as KoaContext } from 'koa';
import type { Caller } from '../../shared/core/context/callers.js';
import type { Context } from '../../shared/core/context/context.js';
import { NotAllowed } from '../../shared/core/values/errors.js';
import { integer, optional, paginationParam, text } from '../../shared/core/operations/fields.js';
import {
  COUNT_LIMIT,
  decodeCursor,
  encodeCursor,
  readKeysetPage,
  readOffsetPage,
} from '../../shared/core/database/list.js';
import type { List, OffsetPage } from '../../shared/core/database/list.js';
import { parseParams } from '../../shared/core/operations/params.js';
import type { OffsetSource } from '../../shared/core/values/offset-source.js';
import { z } from 'zod';
import type { RequestParameters } from './nested-params.js';
import { withoutCredentials } from './credentials/credential-params.js';

export const DEFAULT_PER_PAGE = 20;
export const MAX_PER_PAGE = 100;
/** Beyond it the offset would not be exact; nothing is stored so far out. */
const MAX_PAGE = Math.floor(Number.MAX_SAFE_INTEGER / MAX_PER_PAGE);

/** What every paged list takes. */
export const pageFields = {
  page: optional(integer())
    .describe('Number of the page, starting at 1.')
    .meta({ examples: [1] }),
  per_page: optional(
    integer()
      .refine((value) => value > 0, 'has a value not allowed')
      .meta({ type: 'integer', minimum: 1 }),
  )
    .describe('Number of items per page; values above 100 are treated as 100.')
    .meta({ examples: [20] }),
};

/** Additional parameters of a list that offers keyset pagination. */
export const keysetFields = {
  pagination: paginationParam,
  cursor: optional(text()).describe('Cursor at which the page starts, as in the link to the page.'),
};

const schema = z.object({ ...pageFields, cursor: keysetFields.cursor });

/** Page number and size; 0 and below act as page 1, more than 100 records as 100 (rest-conventions.md section 7). */
function getPage(parameters: RequestParameters) {
  const { page = 1, per_page: perPage = DEFAULT_PER_PAGE, cursor } = parseParams(schema, parameters);
  return {
    page: Math.min(Math.max(page, 1), MAX_PAGE),
    perPage: Math.min(perPage, MAX_PER_PAGE),
    cursor,
  };
}

/** The page's URL on the configured external URL, with all other query parameters repeated but credentials. */
function pageUrl(koa: KoaContext, ctx: Context<Caller>, changes: Record<string, string>): string {
  const query = new URLSearchParams(withoutCredentials(koa.querystring));
  for (const [name, value] of Object.entries(changes)) query.set(name, value);
  return `${ctx.config.externalUrl}${koa.path}?${query.toString()}`;
}

interface PageNumber {
  page: number;
  perPage: number;
}

/** `Link` and the `x-` headers of one page. What was not counted is left out. */
function describePage(koa: KoaContext, ctx: Context<Caller>, { page, perPage }: PageNumber, read: OffsetPage<unknown>) {
  const { records, hasNext, total } = read;
  const totalPages = total === null ? null : Math.max(Math.ceil(total / perPage), 1);
  // A page past the end has no neighbours.
  const previous = page > 1 && records.length > 0 ? page - 1 : null;
  const links: string[] = [];
  const link = (number: number, rel: string) => {
    const url = pageUrl(koa, ctx, { page: String(number), per_page: String(perPage) });
    links.push(`<${url}>; rel="${rel}"`);
  };
  if (previous !== null) link(previous, 'prev');
  if (hasNext) link(page + 1, 'next');
  link(1, 'first');
  if (totalPages !== null) link(totalPages, 'last');
  koa.set('Link', links.join(', '));
  koa.set('x-next-page', hasNext ? String(page + 1) : '');
  koa.set('x-page', String(page));
  koa.set('x-per-page', String(perPage));
  koa.set('x-prev-page', previous === null ? '' : String(previous));
  if (total !== null) {
    koa.set('x-total', String(total));
    koa.set('x-total-pages', String(totalPages));
  }
}

/**
 * Offset pagination has a limit if keyset pagination is offered; a setting of 0 means no limit. Lists that always use
 * offset pagination have no other way to the remaining records, so they have no limit.
 */
function requireWithinReach<T>(ctx: Context<Caller>, list: List<T>, { page, perPage }: PageNumber) {
  const { offset_pagination_limit: limit } = ctx.settings;
  if (!list.keyset || list.keyset.offered === 'offset' || limit === 0 || page * perPage <= limit) return;
  throw new NotAllowed(
    `Offset pagination has a maximum allowed offset of ${limit} for requests that return objects of type ` +
      `${list.keyset.type}. Remaining records can be retrieved using keyset pagination.`,
  );
}

async function keysetPage<T>(
  koa: KoaContext,
  ctx: Context<Caller>,
  parameters: RequestParameters,
  list: List<T>,
): Promise<T[]> {
  const { perPage, cursor } = getPage(parameters);
  const after = list.keyset?.by === 'cursor' && cursor !== undefined ? decodeCursor(list, cursor) : undefined;
  const { records } = await readKeysetPage(ctx, list, perPage, after ? { after } : {});
  const last = records.at(-1);
  // Every page but the empty one names the next (rest-conventions.md section 7), so that clients end on `[]`.
  if (last !== undefined) koa.set('Link', `<${pageUrl(koa, ctx, nextPosition(list, last))}>; rel="next"`);
  return records;
}

function nextPosition<T>(list: List<T>, last: T): Record<string, string> {
  const position = { pagination: 'keyset' };
  if (list.keyset?.by === 'cursor') return { ...position, cursor: encodeCursor(list, last, 'n') };
  const name = list.order[0]?.direction === 'asc' ? 'id_after' : 'id_before';
  return { ...position, [name]: String((last as { id: number }).id) };
}

/**
 * Reads the requested page, by offset or keyset, and sets its headers.
 * @throws NotAllowed if keyset pagination is not offered for this order, and beyond the offset limit
 */
export async function readPage<T>(
  koa: KoaContext,
  ctx: Context<Caller>,
  parameters: RequestParameters,
  list: List<T>,
): Promise<T[]> {
  if (parameters.pagination === 'keyset' && list.keyset?.offered !== 'offset') {
    if (list.keyset?.offered)
      return keysetPage(koa, ctx, parameters, { ...list, order: list.keyset.order ?? list.order });
    throw new NotAllowed('Keyset pagination is not yet available for this type of request');
  }
  const page = getPage(parameters);
  requireWithinReach(ctx, list, page);
  const read = await readOffsetPage(ctx, list, page.page, page.perPage);
  describePage(koa, ctx, page, read);
  return read.records;
}

/** One page of a list that is already in memory. */
export function pageOfAll<T>(
  koa: KoaContext,
  ctx: Context<Caller>,
  parameters: RequestParameters,
  all: readonly T[],
): T[] {
  if (parameters.pagination === 'keyset')
    throw new NotAllowed('Keyset pagination is not yet available for this type of request');
  const page = getPage(parameters);
  const end = page.page * page.perPage;
  const records = all.slice(end - page.perPage, end);
  const total = all.length > COUNT_LIMIT ? null : all.length;
  describePage(koa, ctx, page, { records, hasNext: all.length > end, total });
  return records;
}

async function keysetSlice<T>(
  koa: KoaContext,
  ctx: Context<Caller>,
  parameters: RequestParameters,
  slices: OffsetSource<T>,
): Promise<readonly T[]> {
  const { keyset } = slices;
  if (!keyset) throw new NotAllowed('Keyset pagination is not yet available for this type of request');
  const records = await keyset.read(getPage(parameters).perPage);
  const last = records.at(-1);
  if (last !== undefined) {
    const url = pageUrl(koa, ctx, { pagination: 'keyset', [keyset.parameter]: keyset.token(last) });
    koa.set('Link', `<${url}>; rel="next"`);
  }
  return records;
}

/** Reads the requested page of a list that is read by position, and sets its headers. @throws NotAllowed */
export async function pageOfSlices<T>(
  koa: KoaContext,
  ctx: Context<Caller>,
  parameters: RequestParameters,
  slices: OffsetSource<T>,
): Promise<readonly T[]> {
  if (parameters.pagination === 'keyset') return keysetSlice(koa, ctx, parameters, slices);
  const page = getPage(parameters);
  const found = await slices.slice((page.page - 1) * page.perPage, page.perPage + 1);
  const records = found.slice(0, page.perPage);
  const total = slices.total !== undefined && slices.total <= COUNT_LIMIT ? slices.total : null;
  describePage(koa, ctx, page, { records, hasNext: found.length > page.perPage, total });
  return records;
}
