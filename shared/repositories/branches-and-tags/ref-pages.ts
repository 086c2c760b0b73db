import type { AliasableExpression, Expression, SqlBool } from 'kysely';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { BadParams } from '../../core/values/errors.js';
import { COUNT_LIMIT, countUpTo, readAll, readKeysetPage, readSlice } from '../../core/database/list.js';
import type { List, OrderStep } from '../../core/database/list.js';
import type { OffsetSource } from '../../core/values/offset-source.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import type { RefRecord } from '../repositories/ref-records.js';
import type { MatchingName } from './match-refs.js';
import { onRefs, findRefRecords } from '../repositories/ref-records.js';
import type { RefKind } from '../repositories/ref-records.js';

/** What refs are ordered by, names breaking ties. Each is an index of the database, read from either end. */
export type RefOrder = 'name' | 'updated' | 'version';
type Direction = 'asc' | 'desc';

const COLUMNS: Record<
  Exclude<RefOrder, 'name'>,
  { expression: AliasableExpression<unknown>; type: 'integer' | 'text' }
> = {
  /** A branch is as old as its head, an annotated tag as its making. */
  updated: { expression: onRefs.ref('r.git_date'), type: 'integer' },
  version: { expression: onRefs.fn<string>('version_key', ['r.name']), type: 'text' },
};

function getSteps(order: RefOrder, direction: Direction): OrderStep<RefRecord>[] {
  const byName: OrderStep<RefRecord> = {
    key: 'name',
    expression: onRefs.ref('r.name'),
    direction,
    type: 'text',
    value: (ref) => ref.name,
  };
  // A position is identified by the name of the preceding ref, never by its sort value.
  return order === 'name' ? [byName] : [{ key: order, ...COLUMNS[order], direction, value: () => null }, byName];
}

/** A project's branches or tags in an order. */
export const refsInOrder = (
  found: ProjectRecord,
  kind: RefKind,
  where: readonly Expression<SqlBool>[],
  order: RefOrder,
  direction: Direction,
): List<RefRecord> => ({ ...findRefRecords(found, kind, where), order: getSteps(order, direction) });

/** Where the next page of refs starts: behind the ref of this name. */
const token = { parameter: 'page_token', token: (ref: RefRecord) => ref.name };

const unknownToken = () => new BadParams(['page_token is invalid']);

/** The sort values of a page token's ref; by name, the ref need not exist. @throws BadParams */
async function getKeyset(ctx: Context, found: ProjectRecord, kind: RefKind, order: RefOrder, name: string) {
  if (order === 'name') return [name];
  const row = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('repository_refs as r')
    .select(COLUMNS[order].expression.as('key'))
    .where('r.project_id', '=', found.id)
    .where('r.kind', '=', constant(kind))
    .where('r.name', '=', name)
    .executeTakeFirst();
  if (!row) throw unknownToken();
  return [row.key, name];
}

/**
 * Refs in the order of the ref index: the cost depends on the page, not on the number of refs.
 * @throws BadParams for a token of a missing ref, except in the order by name
 */
export async function refPages(
  ctx: Context,
  found: ProjectRecord,
  kind: RefKind,
  where: readonly Expression<SqlBool>[],
  { order, direction, pageToken }: { order: RefOrder; direction: Direction; pageToken: string | undefined },
): Promise<OffsetSource<RefRecord>> {
  const list = refsInOrder(found, kind, where, order, direction);
  const after = pageToken === undefined ? undefined : await getKeyset(ctx, found, kind, order, pageToken);
  const read = async (limit: number) => (await readKeysetPage(ctx, list, limit, after ? { after } : {})).records;
  return {
    total: await countUpTo(ctx, list, COUNT_LIMIT),
    slice: (offset, limit) => readSlice(ctx, list, offset, limit),
    keyset: { ...token, read },
  };
}

/** The position after the ref that a token names. @throws BadParams when there is none of that name */
function startAfter(names: readonly MatchingName[], pageToken: string | undefined): number {
  if (pageToken === undefined) return 0;
  const at = names.findIndex(({ name }) => name === pageToken);
  if (at < 0) throw unknownToken();
  return at + 1;
}

/**
 * Branches that an expression found: their names are there, in order of name, and a page of them is read whole.
 * @throws BadParams for a token of nothing, but by name
 */
export function matchingPages(
  ctx: Context,
  found: ProjectRecord,
  matching: readonly MatchingName[],
  { order, direction, pageToken }: { order: RefOrder; direction: Direction; pageToken: string | undefined },
): OffsetSource<RefRecord> {
  const ascending = order === 'name' ? matching : matching.toSorted((one, other) => one.git_date - other.git_date);
  const names = direction === 'asc' ? ascending : ascending.toReversed();
  const start = order === 'name' ? names.filter(({ before }) => before).length : startAfter(names, pageToken);
  const slice = async (offset: number, limit: number) => {
    const fullNames = names.slice(offset, offset + limit).map((ref) => ref.full_name);
    const refs = await readAll(
      ctx,
      findRefRecords(found, 'branch', [onRefs('r.full_name', '=', anyOf(fullNames, 'text'))]),
    );
    const byName = new Map(refs.map((ref) => [ref.full_name, ref]));
    return fullNames.flatMap((name) => byName.get(name) ?? []);
  };
  return { total: names.length, slice, keyset: { ...token, read: (limit) => slice(start, limit) } };
}
