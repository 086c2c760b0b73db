import type { Kysely } from 'kysely';
import { anyOf, constant, scalar } from '../../core/database/expressions.js';
import { load } from '../../core/context/loads.js';
import { forCaller, queryForCaller } from '../../tenancy/namespaces/for-caller.js';
import type { Viewer } from '../../tenancy/namespaces/for-caller.js';
import { assigneesOfIssuables, labelsOfIssuables, subscriptionsToIssuables } from '../issuables/issuable-loads.js';
import { issueType } from '../issuables/issuable-type.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { markdownHtml } from '../../core/markdown/markdown-html.js';
import type { Context } from '../../core/context/context.js';
import type { ListedIssue } from './issue.entity.js';
import { isVisibleIssue, onIssues } from './visible-issues.js';

export const labelsOfIssues = labelsOfIssuables(issueType);
export const assigneesOfIssues = assigneesOfIssuables(issueType);

interface Ids {
  readonly ids: readonly number[];
}

/** Issues `i` that a viewer may read, with their projects `p`. */
const readableIssues = (db: Kysely<PlanningDatabase>, viewer: Viewer) =>
  db.selectFrom('issues as i').innerJoin('projects as p', 'p.id', 'i.project_id').where(isVisibleIssue(viewer));

const findReadable = queryForCaller<PlanningDatabase, Ids, { id: number; project_id: number; iid: number }>(
  (db, viewer, { ids }) =>
    readableIssues(db, viewer).where('i.id', '=', anyOf(ids, 'bigint')).select(['i.id', 'i.project_id', 'i.iid']),
);

const countBlockedBy = queryForCaller<PlanningDatabase, Ids, { id: number; count: number }>((db, viewer, { ids }) =>
  readableIssues(db, viewer)
    .innerJoin('issue_links as l', 'l.target_id', 'i.id')
    .where('i.state', '=', constant('opened'))
    .where('l.source_id', '=', anyOf(ids, 'bigint'))
    .where('l.link_type', '=', constant('blocks'))
    .groupBy('l.source_id')
    .select((eb) => ['l.source_id as id', eb.fn.countAll<number>().as('count')]),
);

/** Where the issue lies that another one repeats, as far as the caller may read it. */
export const duplicatedIssues = load(
  (issue: Readonly<ListedIssue>) => issue.duplicated_to_id ?? 0,
  async (ctx, issues): Promise<Map<number, { project_id: number; iid: number }>> => {
    const ids = issues.flatMap(({ duplicated_to_id: id }) => (id ? [id] : []));
    if (ids.length === 0) return new Map();
    return new Map((await findReadable(ctx, { ids })).map((row) => [row.id, row]));
  },
);

/** How many open issues issue `i` blocks, of those that a viewer may read. */
export const countBlocked = (viewer: Viewer) => {
  const count = onIssues
    .selectFrom('issue_links as l')
    .crossJoinLateral((eb) =>
      eb
        .selectFrom('issues as i')
        .innerJoin('projects as p', 'p.id', 'i.project_id')
        .select('i.id')
        .whereRef('i.id', '=', 'l.target_id')
        .where('i.state', '=', constant('opened'))
        .where(isVisibleIssue(viewer))
        .as('blocked'),
    )
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .whereRef('l.source_id', '=', 'i.id')
    .where('l.link_type', '=', constant('blocks'));
  return scalar(count);
};

/** The same for the caller. */
export const blockingCount = forCaller(countBlocked);

/**
 * The number of open issues that each issue blocks, limited to those that the caller can read
 * (issue-links.md section 3.5). Counted on request: issues can block each other in a cycle, and a stored count would
 * make two issues that close at once wait for each other.
 */
export const blockingCounts = load(
  (issue: Readonly<ListedIssue>) => issue.id,
  async (ctx, issues): Promise<Map<number, number>> => {
    const rows = await countBlockedBy(ctx, { ids: issues.map(({ id }) => id) });
    return new Map(rows.map(({ id, count }) => [id, count]));
  },
);

/** Ids of the issues that others were moved to, as far as the caller may read them. */
export const moveTargets = load(
  (issue: Readonly<ListedIssue>) => issue.id,
  async (ctx, issues): Promise<Map<number, number>> => {
    const ids = issues.flatMap(({ moved_to_id: id }) => (id ? [id] : []));
    if (ids.length === 0) return new Map();
    const rows = await findReadable(ctx, { ids });
    const visible = new Set(rows.map(({ id }) => id));
    return new Map(
      issues.flatMap(({ id, moved_to_id: to }): [number, number][] => (to && visible.has(to) ? [[id, to]] : [])),
    );
  },
);

export const subscriptions = subscriptionsToIssuables(issueType);

/** Title and description of issues as HTML, with references as the caller may follow them. */
export const issueHtml = markdownHtml<ListedIssue, 'title' | 'description'>(
  ({ title, description }) => ({ title: { line: title }, description }),
  ({ project_id: id }) => ({ kind: 'project', id }),
);

/** How many merge requests that the caller may read close each of some issues; those that none closes are left out. */
type CountMergeRequests = (ctx: Context, issueIds: readonly number[]) => Promise<Map<number, number>>;

let countMergeRequests: CountMergeRequests = () => Promise.resolve(new Map());

/** Lets issues show counts of merge requests, which a domain above knows. Called where its registry is made. */
export function countMergeRequestsOfIssues(count: CountMergeRequests): void {
  countMergeRequests = count;
}

/** The merge requests that close the issues of a page: one statement, or none where nothing closes any of them. */
export const closingCounts = load(
  (issue: Readonly<ListedIssue>) => issue.id,
  async (ctx, issues): Promise<Map<number, number>> => {
    const closed = issues.flatMap(({ id, merge_requests_count: count }) => (count > 0 ? [id] : []));
    return closed.length === 0 ? new Map() : countMergeRequests(ctx, closed);
  },
);
