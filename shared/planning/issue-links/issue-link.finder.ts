import { expressionBuilder, sql } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Issue, IssueRecord, ListedIssue } from '../issues/issue.entity.js';
import type { OfIssues } from '../issues/visible-issues.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { byId, readAll } from '../../core/database/list.js';
import type { List, MatchingQuery } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import { findProjectOfUrl, findVisibleProject } from '../../tenancy/projects/project.finder.js';
import { findIssue, issue, issuesOfAll } from '../issues/issue.finder.js';
import { IssueLink } from './issue-link.entity.js';
import type { IssueLinkRecord, LinkedIssue } from './issue-link.entity.js';

/** The issue in the path, not locked: an operation on two issues locks both in one order. */
export const linkedIssue: Resource<IssueRecord> = {
  ...issue,
  find: async (ctx, input: { id: string; issue_iid: number }) =>
    findIssue(ctx, await findProjectOfUrl(ctx, input.id), input.issue_iid),
};

/** Issues `i` with the links `k` that lead to them. */
type OfLinked = OfIssues & { k: LinkRow };

/** A link, seen from one of its sides. */
interface LinkRow {
  readonly id: number;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** The issue that it is seen from. */
  readonly of_id: number;
  /** The issue on its other side. */
  readonly other_id: number;
  readonly link_type: string;
}

/** Links of some issues, with the id on the other side and the type as seen from the issue. */
function getLinks(ids: readonly number[]) {
  const eb = expressionBuilder<PlanningDatabase>();
  const links = eb.selectFrom('issue_links as l').select(['l.id', 'l.created_at', 'l.updated_at']);
  const outgoing = links
    .select(['l.source_id as of_id', 'l.target_id as other_id', 'l.link_type'])
    .where('l.source_id', '=', anyOf(ids, 'bigint'));
  const incoming = links
    .select((of) => [
      'l.target_id as of_id',
      'l.source_id as other_id',
      of
        .case('l.link_type')
        .when('blocks')
        .then(sql.lit('is_blocked_by'))
        .else(of.ref('l.link_type'))
        .end()
        .as('link_type'),
    ])
    .where('l.target_id', '=', anyOf(ids, 'bigint'));
  return outgoing.unionAll(incoming);
}

/** The issues that are linked with some, of those that the caller may read, with the links `k`. */
function linkedWith<T extends LinkedIssue>(
  ctx: Context,
  ids: readonly number[],
): Pick<List<T>, 'matching' | 'order' | 'select'> {
  const all = issuesOfAll(ctx);
  const select = (query: MatchingQuery) =>
    (all.select(query) as SelectQueryBuilder<OfLinked, 'i' | 'k', object>).select([
      'k.of_id',
      'k.id as link.id',
      'k.created_at as link.created_at',
      'k.updated_at as link.updated_at',
      'k.link_type as link.type',
    ]);
  return {
    matching: all.matching.innerJoin(getLinks(ids).as('k'), 'k.other_id', 'i.id'),
    select,
    order: [{ ...byId<T>('k', 'asc'), value: ({ link }) => link.id }],
  };
}

/**
 * The issues that an issue is linked with, of those that the caller may read, in the order in which they were linked
 * (issue-links.md section 4).
 */
export const linkedIssues = (ctx: Context, { id, reference_base }: IssueRecord): List<LinkedIssue> => ({
  ...linkedWith(ctx, [id]),
  read: (row) => ({ ...row, reference_base }),
});

/**
 * A link of an issue with both its sides.
 * @throws NotFound "404 Not found", also for one of other issues, and where the caller may not read the other side
 */
export async function findIssueLink(ctx: Context, of: IssueRecord, id: number): Promise<IssueLinkRecord> {
  const link = await ctx.em.findOne(IssueLink, { id, $or: [{ source_id: of.id }, { target_id: of.id }] });
  if (!link) throw new NotFound();
  const other = await readableIssue(ctx, of.id === link.source_id ? link.target_id : link.source_id);
  return of.id === link.source_id ? { ...link, source: of, target: other } : { ...link, source: other, target: of };
}

const findIssueKey = prepareQuery<PlanningDatabase, { id: number }, Pick<Issue, 'project_id' | 'iid'>>((db, { id }) =>
  db.selectFrom('issues as i').select(['i.project_id', 'i.iid']).where('i.id', '=', id),
);

/** The issue of an id, not locked. @throws NotFound where the caller may not read it */
export async function readableIssue(ctx: Context, id: number): Promise<IssueRecord> {
  const [key] = await findIssueKey(ctx, { id });
  const found = key && (await findVisibleProject(ctx, key.project_id));
  if (!found) throw new NotFound();
  return findIssue(ctx, found, key.iid);
}

/** Locks issues in the order in which everybody locks several, so that no two wait for each other. */
export async function lockIssues(ctx: Context, ids: readonly number[]): Promise<void> {
  await ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('issues as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select('i.id')
    .where('i.id', '=', anyOf(ids, 'bigint'))
    .orderBy('i.id')
    .forKeyShare('p')
    .forNoKeyUpdate('i')
    .execute();
}

type ByIssue = Map<Readonly<ListedIssue>, LinkedIssue[]>;

/**
 * For each of many issues, the linked issues that the caller can read, in the order in which they were linked.
 * Anonymous callers see no links (issue-links.md section 5).
 */
export async function loadLinkedIssues(ctx: Context, issues: readonly Readonly<ListedIssue>[]): Promise<ByIssue> {
  if (ctx.caller.anonymous) return new Map();
  const ids = issues.map(({ id }) => id);
  const rows = await readAll(ctx, linkedWith<LinkedIssue & { of_id: number }>(ctx, ids));
  const byId = Map.groupBy(rows, ({ of_id }) => of_id);
  return new Map(issues.map((issue) => [issue, byId.get(issue.id) ?? []]));
}
