import { expressionBuilder } from 'kysely';
import type { Expression, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { aboutProject } from '../../core/values/job-context.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import { queryForCaller } from '../../tenancy/namespaces/for-caller.js';
import type { Viewer } from '../../tenancy/namespaces/for-caller.js';
import { findProject, findProjectOfUrl, project, projectIdOfPath } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import { isSubscribedTo } from '../issuables/issuable-loads.js';
import { issueType } from '../issuables/issuable-type.js';
import { anyOf } from '../../core/database/expressions.js';
import { Issue } from './issue.entity.js';
import { blockingCounts, countBlocked, subscriptions } from './issue.loads.js';
import { issuePolicy } from './issue.policy.js';
import type { IssueRecord, ListedIssue } from './issue.entity.js';
import type { ReferenceBase } from './issue-references.js';
import { assignedTo, onIssues, visibleIssues, visibleIssuesIn, visibleIssuesOf } from './visible-issues.js';
import type { OfIssues, ReadableProjects } from './visible-issues.js';

type IssueQuery<Row> = SelectQueryBuilder<OfIssues, 'i', Row>;

/** Selects issues `i` as lists have them. */
const selectIssues = <Row>(query: IssueQuery<Row>) =>
  query
    .innerJoin('routes as r', 'r.project_id', 'i.project_id')
    .leftJoin('users as a', 'a.id', 'i.author_id')
    .leftJoin('users as c', 'c.id', 'i.closed_by_id')
    .select([
      ...columns(Issue, 'i'),
      'r.path as full_path',
      ...nestedOrNull('author', User, 'a', { only: USER_SUMMARY }),
      ...nestedOrNull('closed_by', User, 'c', { only: USER_SUMMARY }),
    ]);

const db = expressionBuilder<OfIssues>();

function getList(matching: IssueQuery<object>, where: readonly Expression<SqlBool>[]): List<ListedIssue> {
  return narrow({ matching, select: selectIssues, order: [byId<ListedIssue>('i', 'desc')] }, where);
}

/** Issues of one project that the caller may read; conditions may speak of `i`. */
export const issuesOfProject = (
  ctx: Context,
  found: ProjectRecord,
  where: readonly Expression<SqlBool>[] = [],
): List<ListedIssue> => ({
  ...getList(db.selectFrom('issues as i').where(visibleIssuesOf(ctx, found)), where),
  read: (row) => ({ ...row, reference_base: fromProject(found) }),
});

/** Issues of all projects that the caller may read; conditions may speak of `i` and its project `p`. */
export const issuesOfAll = (ctx: Context, where: readonly Expression<SqlBool>[] = []): List<ListedIssue> =>
  getList(
    db.selectFrom('issues as i').innerJoin('projects as p', 'p.id', 'i.project_id').where(visibleIssues(ctx)),
    where,
  );

/** Issues of some projects that the caller may read; conditions may speak of `i`. */
export const issuesOfProjects = (
  ctx: Context,
  projects: ReadableProjects,
  where: readonly Expression<SqlBool>[] = [],
): List<ListedIssue> => getList(db.selectFrom('issues as i').where(visibleIssuesIn(ctx, projects)), where);

/** The reference base for issues requested in a project. */
const fromProject = ({ full_path }: ProjectRecord): ReferenceBase => ({ kind: 'project', full_path });

type Row = Omit<IssueRecord, 'project'>;

interface DetailedRow extends Row {
  readonly blocking_count: number;
  readonly subscribed: boolean;
}

/** Which issue, by its global id or by its number in a project. */
const isIssue = {
  id: ({ id }: Placeholders<{ id: number }>) => onIssues('i.id', '=', id),
  iid: ({ project_id: projectId, iid }: Placeholders<{ project_id: number; iid: number }>) =>
    onIssues.and([onIssues('i.project_id', '=', projectId), onIssues('i.iid', '=', iid)]),
};

/** Locks an issue before it is read for a change. Locks its project first, in the same order as project deletion. */
const lock = (db: Kysely<OfIssues>) =>
  db
    .selectFrom('issues as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select('i.id')
    .forKeyShare('p')
    .forNoKeyUpdate('i');

const lockIssue = {
  id: prepareQuery<OfIssues, { id: number }, object>((of, values) => lock(of).where(isIssue.id(values))),
  iid: prepareQuery<OfIssues, { project_id: number; iid: number }, object>((of, values) =>
    lock(of).where(isIssue.iid(values)),
  ),
};

/** An issue's row, without a permission check. */
const rowFor = (of: Kysely<OfIssues>, { userId }: Viewer) =>
  selectIssues(of.selectFrom('issues as i')).select((eb) =>
    eb.case().when(assignedTo(userId)).then(eb.cast<number>(userId, 'bigint')).end().as('assigned_id'),
  );

const loadIssue = {
  id: queryForCaller<OfIssues, { id: number }, Row>((of, viewer, values) =>
    rowFor(of, viewer).where(isIssue.id(values)),
  ),
  iid: queryForCaller<OfIssues, { project_id: number; iid: number }, Row>((of, viewer, values) =>
    rowFor(of, viewer).where(isIssue.iid(values)),
  ),
};

/** The same for one that is read, with what it shows: each further statement would cost. */
const detailedRowFor = (of: Kysely<OfIssues>, viewer: Viewer) =>
  rowFor(of, viewer).select([
    countBlocked(viewer).as('blocking_count'),
    isSubscribedTo(issueType, viewer.userId).as('subscribed'),
  ]);

const loadDetailed = {
  id: queryForCaller<OfIssues, { project_id: number; iid: number }, DetailedRow>((of, viewer, values) =>
    detailedRowFor(of, viewer).where(isIssue.iid(values)),
  ),
  path: queryForCaller<OfIssues, { path: string; iid: number }, DetailedRow>((of, viewer, { path, iid }) =>
    detailedRowFor(of, viewer).where('i.project_id', '=', projectIdOfPath(path)).where('i.iid', '=', iid),
  ),
};

/** The issue of a number in the project that an id or full path names. */
async function findDetailed(ctx: Context, reference: string, iid: number): Promise<DetailedRow | null> {
  if (iid > MAX_IID) return null;
  const [row] = /^\d{1,15}$/.test(reference)
    ? await loadDetailed.id(ctx, { project_id: Number(reference), iid })
    : await loadDetailed.path(ctx, { path: reference, iid });
  return row ?? null;
}

function admitDetailed(ctx: Context, found: ProjectRecord, row: DetailedRow | null, noun?: string): IssueRecord {
  const issue = admit(ctx, found, row, noun);
  if (!row) return issue;
  blockingCounts.put(ctx, issue, row.blocking_count);
  subscriptions.put(ctx, issue, row.subscribed);
  return issue;
}

function admit(ctx: Context, found: ProjectRecord, row: Row | null, noun?: string): IssueRecord {
  const issue = row && { ...row, project: found, reference_base: fromProject(found) };
  if (!issue || !issuePolicy.read_issue(ctx.caller, issue)) throw new NotFound(noun);
  return issue;
}

/** Numbers are the server's integers. */
const MAX_IID = 2 ** 31 - 1;

/** An issue of a project by its number. @throws NotFound "404 Not found", also where the caller may not read it */
export async function findIssue(ctx: Context, found: ProjectRecord, iid: number, noun?: string): Promise<IssueRecord> {
  const [row] = iid > MAX_IID ? [] : await loadIssue.iid(ctx, { project_id: found.id, iid });
  return admit(ctx, found, row ?? null, noun);
}

const findProjectOfIssue = prepareQuery<OfIssues, { id: number }, { project_id: number }>((db, { id }) =>
  db.selectFrom('issues as i').select('i.project_id').where('i.id', '=', id),
);

/** The issue of a global id with its project, locked in a transaction. @throws NotFound "404 Not found" */
export async function findIssueById(ctx: Context, id: number): Promise<IssueRecord> {
  const [key] = await findProjectOfIssue(ctx, { id });
  if (!key) throw new NotFound();
  const found = await findVisible(ctx, key.project_id);
  if (ctx.inTransaction) await lockIssue.id(ctx, { id });
  const [row] = await loadIssue.id(ctx, { id });
  return admit(ctx, found, row ?? null);
}

/** Responds in the same way for an issue of an invisible project as for a missing issue. */
async function findVisible(ctx: Context, projectId: number): Promise<ProjectRecord> {
  try {
    return await findProject(ctx, projectId);
  } catch (error) {
    throw error instanceof NotFound ? new NotFound() : error;
  }
}

/** @param noun used in the error for a missing issue */
function getIssue(noun?: string): Resource<IssueRecord> {
  return {
    noun: 'Issue',
    params: { ...project.params, issue_iid: integer().describe('Internal ID of the issue in its project.') },
    async find(ctx, input: { id: string; issue_iid: number }) {
      const { id, issue_iid: iid } = input;
      if (!ctx.inTransaction) {
        // Loads the project and the issue concurrently; a result that the caller cannot see is dropped.
        const [found, row] = await Promise.all([findProjectOfUrl(ctx, id), findDetailed(ctx, id, iid)]);
        return admitDetailed(ctx, found, row, noun);
      }
      const found = await findProjectOfUrl(ctx, id);
      if (iid <= MAX_IID) await lockIssue.iid(ctx, { project_id: found.id, iid });
      return findIssue(ctx, found, iid, noun);
    },
    about: (record) => aboutProject(record.project),
  };
}

/** The resource of `/projects/:id/issues/:issue_iid…`. For a write it is locked. */
export const issue = getIssue();

/** The same for deletion, which responds with "404 Issue Not Found" (core-resources.md section 6). */
export const issueToDelete = getIssue('Issue');

/** Issues by their global ids, of those that the caller may read. */
export async function issuesById(ctx: Context, ids: readonly number[]): Promise<Map<number, ListedIssue>> {
  const found = await readAll(ctx, issuesOfAll(ctx, [onIssues('i.id', '=', anyOf(ids, 'bigint'))]));
  return new Map(found.map((issue) => [issue.id, issue]));
}
