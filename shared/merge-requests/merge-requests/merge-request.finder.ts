import { expressionBuilder } from 'kysely';
import type { Expression, Kysely, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { NotFound } from '../../core/values/errors.js';
import { integer } from '../../core/operations/fields.js';
import { aboutProject } from '../../core/values/job-context.js';
import { byId, narrow, readAll } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Resource } from '../../core/operations/operation.js';
import type { ReferenceBase } from '../../planning/issues/issue-references.js';
import { findProject, findProjectOfUrl, project, projectIdOfPath } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';
import { USER_SUMMARY } from '../../tenancy/users/user.finder.js';
import { MergeRequest } from './merge-request.entity.js';
import type { ListedMergeRequest, MergeRequestRecord } from './merge-request.entity.js';
import { mergeRequestPolicy } from './merge-request.policy.js';
import { onMergeRequests, visibleMergeRequests } from './visible-merge-requests.js';
import type { OfMergeRequests } from './visible-merge-requests.js';

type MergeRequestQuery<Row> = SelectQueryBuilder<OfMergeRequests, 'i', Row>;

/** Selects merge requests `i` as lists have them. */
const selectMergeRequests = <Row>(query: MergeRequestQuery<Row>) =>
  query
    .innerJoin('routes as r', 'r.project_id', 'i.project_id')
    .leftJoin('users as a', 'a.id', 'i.author_id')
    .leftJoin('users as c', 'c.id', 'i.closed_by_id')
    .leftJoin('users as m', 'm.id', 'i.merge_user_id')
    .select([
      ...columns(MergeRequest, 'i'),
      'r.path as full_path',
      ...nestedOrNull('author', User, 'a', { only: USER_SUMMARY }),
      ...nestedOrNull('closed_by', User, 'c', { only: USER_SUMMARY }),
      ...nestedOrNull('merge_user', User, 'm', { only: USER_SUMMARY }),
    ]);

const mergeRequests = () => expressionBuilder<OfMergeRequests>().selectFrom('merge_requests as i');

const getList = (
  matching: MergeRequestQuery<object>,
  where: readonly Expression<SqlBool>[],
): List<ListedMergeRequest> =>
  narrow({ matching, select: selectMergeRequests, order: [byId<ListedMergeRequest>('i', 'desc')] }, where);

/** The reference base for merge requests requested in a project. */
const fromProject = ({ full_path }: ProjectRecord): ReferenceBase => ({ kind: 'project', full_path });

/** Merge requests of one project, which the caller may read. */
export const mergeRequestsOfProject = (
  found: ProjectRecord,
  where: readonly Expression<SqlBool>[] = [],
): List<ListedMergeRequest> => ({
  ...getList(mergeRequests().where('i.project_id', '=', found.id), where),
  read: (row) => ({ ...row, reference_base: fromProject(found) }),
});

/** Merge requests of all projects that the caller may read; conditions may speak of `i` and its project `p`. */
export const mergeRequestsOfAll = (
  ctx: Context,
  where: readonly Expression<SqlBool>[] = [],
): List<ListedMergeRequest> =>
  getList(mergeRequests().innerJoin('projects as p', 'p.id', 'i.project_id').where(visibleMergeRequests(ctx)), where);

/** Merge requests that the caller can read, by their ids. */
export async function mergeRequestsById(
  ctx: Context,
  ids: readonly number[],
): Promise<Map<number, ListedMergeRequest>> {
  const found = await readAll(ctx, mergeRequestsOfAll(ctx, [onMergeRequests('i.id', '=', anyOf(ids, 'bigint'))]));
  return new Map(found.map((request) => [request.id, request]));
}

/** Merge requests of projects whose merge requests the caller can read; conditions can reference `i`. */
export const mergeRequestsOfProjects = (
  projectIds: readonly number[],
  where: readonly Expression<SqlBool>[] = [],
): List<ListedMergeRequest> => getList(mergeRequests().where('i.project_id', '=', anyOf(projectIds, 'bigint')), where);

type Row = Omit<MergeRequestRecord, 'project'>;

interface ById {
  readonly project_id: number;
  readonly id: number;
}

interface ByIid {
  readonly project_id: number;
  readonly iid: number;
}

const ofProject = (of: Kysely<OfMergeRequests>, projectId: Expression<number>) =>
  of.selectFrom('merge_requests as i').where('i.project_id', '=', projectId);

const loadMergeRequest = {
  id: prepareQuery<OfMergeRequests, ById, Row>((of, { project_id: projectId, id }) =>
    selectMergeRequests(ofProject(of, projectId)).where('i.id', '=', id),
  ),
  iid: prepareQuery<OfMergeRequests, ByIid, Row>((of, { project_id: projectId, iid }) =>
    selectMergeRequests(ofProject(of, projectId)).where('i.iid', '=', iid),
  ),
  path: prepareQuery<OfMergeRequests, { path: string; iid: number }, Row>((of, { path, iid }) =>
    selectMergeRequests(ofProject(of, projectIdOfPath(path))).where('i.iid', '=', iid),
  ),
};

/**
 * Locks a merge request before it is read for a change. Locks its project first, in the same order as project deletion.
 */
const lock = (of: Kysely<OfMergeRequests>, projectId: Expression<number>) =>
  of
    .selectFrom('merge_requests as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .select('i.id')
    .where('i.project_id', '=', projectId)
    .forKeyShare('p')
    .forNoKeyUpdate('i');

const lockMergeRequest = {
  id: prepareQuery<OfMergeRequests, ById, object>((of, { project_id: projectId, id }) =>
    lock(of, projectId).where('i.id', '=', id),
  ),
  iid: prepareQuery<OfMergeRequests, ByIid, object>((of, { project_id: projectId, iid }) =>
    lock(of, projectId).where('i.iid', '=', iid),
  ),
};

function admit(ctx: Context, found: ProjectRecord, row: Row | null | undefined): MergeRequestRecord {
  const request = row && { ...row, project: found, reference_base: fromProject(found) };
  if (!request || !mergeRequestPolicy.read_merge_request(ctx.caller, request)) throw new NotFound();
  return request;
}

/** Numbers are the server's integers. */
const MAX_IID = 2 ** 31 - 1;

/** A merge request of a project by its number. @throws NotFound "404 Not found", also where the caller may not read it */
export async function findMergeRequest(ctx: Context, found: ProjectRecord, iid: number): Promise<MergeRequestRecord> {
  const [row] = iid > MAX_IID ? [] : await loadMergeRequest.iid(ctx, { project_id: found.id, iid });
  return admit(ctx, found, row);
}

const findProjectId = prepareQuery<OfMergeRequests, { id: number }, { project_id: number }>((of, { id }) =>
  of.selectFrom('merge_requests as i').select('i.project_id').where('i.id', '=', id),
);

/** The merge request of a global id with its project, locked in a transaction. @public @throws NotFound "404 Not found" */
export async function findMergeRequestById(ctx: Context, id: number): Promise<MergeRequestRecord> {
  const [projectRow] = await findProjectId(ctx, { id });
  if (!projectRow) throw new NotFound();
  const found = await findVisible(ctx, projectRow.project_id);
  if (ctx.inTransaction) await lockMergeRequest.id(ctx, { project_id: found.id, id });
  const [row] = await loadMergeRequest.id(ctx, { project_id: found.id, id });
  return admit(ctx, found, row);
}

/** Responds in the same way for a merge request of an invisible project as for a missing merge request. */
async function findVisible(ctx: Context, projectId: number): Promise<ProjectRecord> {
  try {
    return await findProject(ctx, projectId);
  } catch (error) {
    throw error instanceof NotFound ? new NotFound() : error;
  }
}

/** The merge request of a number in the project that an id or full path names. */
async function findRow(ctx: Context, reference: string, iid: number): Promise<Row | undefined> {
  if (iid > MAX_IID) return undefined;
  const [row] = /^\d{1,15}$/.test(reference)
    ? await loadMergeRequest.iid(ctx, { project_id: Number(reference), iid })
    : await loadMergeRequest.path(ctx, { path: reference, iid });
  return row;
}

/** The resource of `/projects/:id/merge_requests/:merge_request_iid…`. For a write it is locked. */
export const mergeRequest: Resource<MergeRequestRecord> = {
  noun: 'MergeRequest',
  params: { ...project.params, merge_request_iid: integer().describe('Number of the merge request in its project.') },
  async find(ctx, input: { id: string; merge_request_iid: number }) {
    const { id, merge_request_iid: iid } = input;
    if (!ctx.inTransaction) {
      // Loads the project and the merge request concurrently; a result that the caller cannot see is dropped.
      const [found, row] = await Promise.all([findProjectOfUrl(ctx, id), findRow(ctx, id, iid)]);
      return admit(ctx, found, row);
    }
    const found = await findProjectOfUrl(ctx, id);
    if (iid <= MAX_IID) await lockMergeRequest.iid(ctx, { project_id: found.id, iid });
    return findMergeRequest(ctx, found, iid);
  },
  about: (record) => aboutProject(record.project),
};
