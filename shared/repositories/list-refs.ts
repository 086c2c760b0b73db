import type { Context } from '../core/context.js';
import { BadParams } from '../core/errors.js';
import { expression } from '../core/expressions.js';
import { maybe, oneOf, text, withDefault } from '../core/fields.js';
import { listRefs } from '../core/git/index.js';
import { readAll, readSlice } from '../core/list.js';
import { can, operation } from '../core/operation.js';
import type { Slices } from '../core/slices.js';
import { and, likeLiteral, sql } from '../core/sql.js';
import type { Sql } from '../core/sql.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { project } from '../projects/project.finder.js';
import { projectPolicy } from '../projects/project.policy.js';
import type { RefRecord } from './branch.shape.js';
import { matchingNames } from './match-refs.js';
import type { RefName } from './match-refs.js';
import { withGitAnswers } from './git-problems.js';
import { refsOf } from './ref-records.js';
import type { RefKind } from './ref-records.js';
import { openRepository } from './write-refs.js';

/** `^x` names that begin with x, `x$` that end in it, else that contain it. */
function searchCondition(search: string): Sql {
  const starts = search.startsWith('^');
  const ends = search.endsWith('$');
  const term = likeLiteral(search.slice(starts ? 1 : 0, ends ? -1 : undefined));
  return sql`r.name ilike ${`${starts ? '' : '%'}${term}${ends ? '' : '%'}`}`;
}

type Names = readonly RefName[];

/** Where the next page of refs starts: behind the ref of this name. */
const token = { parameter: 'page_token', token: (ref: RefRecord) => ref.name };

/** The place behind the ref that a token names. @throws BadParams when there is none of that name */
function startAfter(names: Names, pageToken: string | undefined): number {
  if (pageToken === undefined) return 0;
  const at = names.findIndex(({ name }) => name === pageToken);
  if (at < 0) throw new BadParams(['page_token is invalid']);
  return at + 1;
}

/** Refs by name, as the index has them. A token whose ref is gone still names a place. */
async function byName(
  ctx: Context,
  found: ProjectRecord,
  kind: RefKind,
  where: readonly Sql[],
  pageToken: string | undefined,
): Promise<Slices<RefRecord>> {
  const list = refsOf(found, kind, where);
  const counted = await ctx.queryOne<{ total: number; start: number }>(sql`
    select count(*) as "total", count(*) filter (where r.name <= ${pageToken ?? null}::text) as "start"
      from ${list.from} where ${and(list.where)}`);
  const { total = 0, start = 0 } = counted ?? {};
  const slice = (offset: number, limit: number) => readSlice(ctx, list, offset, limit);
  return { total, slice, keyset: { ...token, read: (limit) => slice(start, limit) } };
}

/** Refs that the database does not order, or not find: their names are there, and a page of them is read whole. */
function inOrderOf(ctx: Context, found: ProjectRecord, kind: RefKind, names: Names, start: number): Slices<RefRecord> {
  const slice = async (offset: number, limit: number) => {
    const wanted = names.slice(offset, offset + limit).map((ref) => ref.full_name);
    const refs = await readAll(ctx, refsOf(found, kind, [sql`r.full_name = any(${wanted}::text[])`]));
    const byName = new Map(refs.map((ref) => [ref.full_name, ref]));
    return wanted.flatMap((name) => byName.get(name) ?? []);
  };
  return { total: names.length, slice, keyset: { ...token, read: (limit) => slice(start, limit) } };
}

function namesOf(ctx: Context, found: ProjectRecord, kind: RefKind, where: readonly Sql[]): Promise<Names> {
  const list = refsOf(found, kind, where);
  return readAll<RefName>(ctx, {
    select: sql`r.full_name as "full_name", r.name as "name"`,
    from: list.from,
    where: list.where,
    order: list.order as never,
  });
}

/** Oldest first: a branch is as old as its head, an annotated tag as its making; names break ties. */
async function byAge(ctx: Context, found: ProjectRecord, kind: RefKind, names: Names): Promise<Names> {
  // A project without any ref may have no repository either.
  if (names.length === 0) return names;
  const prefixes = [kind === 'branch' ? 'refs/heads' : 'refs/tags'];
  const refs = await withGitAnswers(() => listRefs(openRepository(ctx, found), { prefixes }));
  const ages = new Map(refs.map((ref) => [ref.name, ref.created_at?.getTime() ?? 0]));
  const age = (ref: Names[number]) => ages.get(ref.full_name) ?? 0;
  return names.toSorted((one, other) => age(one) - age(other));
}

const versions = new Intl.Collator('en', { numeric: true });

const page_token = maybe(text()).describe('With `pagination=keyset`: the name that the page starts behind.');

const search = maybe(text()).describe('Only names that contain it; `^x` that begin, `x$` that end with it.');

const lists = {
  subject: project,
  can: can(projectPolicy, 'read_code'),
  gate: 'open',
  kind: 'read',
  statements: 8,
} as const;

/** List branches by name, or by the date of their heads. */
export const listBranches = operation({
  name: 'listBranches',
  summary: "List a project's branches",
  ...lists,
  params: {
    search,
    regex: maybe(expression()).describe('Only names that match this regular expression, in the syntax of RE2.'),
    sort: withDefault(oneOf(['name_asc', 'updated_asc', 'updated_desc']), 'name_asc').describe('Order.'),
    page_token,
  },
  async run(ctx, found, input) {
    const where = input.search === undefined ? [] : [searchCondition(input.search)];
    const { regex, sort, page_token: pageToken } = input;
    const matching = regex && (await matchingNames(ctx, found, 'branch', where, regex, pageToken));
    if (sort === 'name_asc') {
      if (!matching) return byName(ctx, found, 'branch', where, pageToken);
      return inOrderOf(ctx, found, 'branch', matching, matching.filter(({ before }) => before).length);
    }
    const oldest = await byAge(ctx, found, 'branch', matching ?? (await namesOf(ctx, found, 'branch', where)));
    const ordered = sort === 'updated_asc' ? oldest : oldest.toReversed();
    return inOrderOf(ctx, found, 'branch', ordered, startAfter(ordered, pageToken));
  },
});

/** List tags, the newest first unless told otherwise. */
export const listTags = operation({
  name: 'listTags',
  summary: "List a project's tags",
  ...lists,
  params: {
    search,
    order_by: withDefault(oneOf(['updated', 'name', 'version']), 'updated').describe('What to order by.'),
    sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the order.'),
    page_token,
  },
  async run(ctx, found, input) {
    const where = input.search === undefined ? [] : [searchCondition(input.search)];
    const names = await namesOf(ctx, found, 'tag', where);
    const ascending = {
      name: () => Promise.resolve(names),
      version: () => Promise.resolve(names.toSorted((one, other) => versions.compare(one.name, other.name))),
      updated: () => byAge(ctx, found, 'tag', names),
    };
    const ordered = await ascending[input.order_by]();
    const asked = input.sort === 'asc' ? ordered : ordered.toReversed();
    return inOrderOf(ctx, found, 'tag', asked, startAfter(asked, input.page_token));
  },
});
