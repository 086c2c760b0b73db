import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import { aboutProject } from '../../core/job-context.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { SeenFrom } from '../../planning/issues/issue-references.js';
import { findProject, findProjectOfUrl, project, projectIdSql } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import { MergeRequest } from './merge-request.entity.js';
import { mergeRequestPolicy } from './merge-request.policy.js';
import type { ListedMergeRequest, MergeRequestRecord } from './merge-request.record.js';
import { visibleMergeRequests } from './visible-merge-requests.js';

const selected: Fragment = sql`${textColumns(MergeRequest, 'i')}, r.path as "full_path",
  ${userSummaryColumns('a', 'author.')}, ${userSummaryColumns('c', 'closed_by.')}, ${userSummaryColumns('m', 'merge_user.')}`;
const tables: Fragment = sql`merge_requests i
  join routes r on r.project_id = i.project_id
  left join users a on a.id = i.author_id
  left join users c on c.id = i.closed_by_id
  left join users m on m.id = i.merge_user_id`;

/** That merge requests were asked for in a project. */
const fromProject = ({ full_path }: ProjectRecord): SeenFrom => ({ kind: 'project', full_path });

/** Merge requests of one project, which the caller may read. */
export function mergeRequestsOfProject(
  found: ProjectRecord,
  where: readonly Fragment[] = [],
): TextList<ListedMergeRequest> {
  return {
    select: selected,
    from: tables,
    matching: sql`merge_requests i`,
    where: [sql`i.project_id = ${found.id}`, ...where],
    order: [byId('i', 'desc')],
    read: (row) => ({ ...row, seen_from: fromProject(found) }),
  };
}

/** Merge requests of all projects that the caller may read; conditions may speak of `i` and its project `p`. */
export function mergeRequestsOfAll(ctx: Context, where: readonly Fragment[] = []): TextList<ListedMergeRequest> {
  return {
    select: selected,
    from: sql`${tables} join projects p on p.id = i.project_id`,
    matching: sql`merge_requests i join projects p on p.id = i.project_id`,
    where: [visibleMergeRequests(ctx), ...where],
    order: [byId('i', 'desc')],
  };
}

/** Merge requests of some projects whose merge requests the caller may read; conditions may speak of `i`. */
export function mergeRequestsOfProjects(
  projectIds: readonly number[],
  where: readonly Fragment[] = [],
): TextList<ListedMergeRequest> {
  return {
    select: selected,
    from: tables,
    matching: sql`merge_requests i`,
    where: [sql`i.project_id = any(${[...projectIds]}::bigint[])`, ...where],
    order: [byId('i', 'desc')],
  };
}

type Row = Omit<MergeRequestRecord, 'project'>;

/**
 * Locks a merge request for a change, so that what is found next is what is changed. Its project is locked first, as
 * its deletion does it.
 */
async function lockMergeRequest(ctx: Context, projectId: number, condition: Fragment): Promise<void> {
  await ctx.query(sql`
    select 1 from merge_requests i join projects p on p.id = i.project_id
     where i.project_id = ${projectId} and ${condition} for key share of p for no key update of i`);
}

const loadMergeRequest = (ctx: Context, projectId: number | Fragment, condition: Fragment): Promise<Row | null> =>
  ctx.queryOne<Row>(sql`select ${selected} from ${tables} where i.project_id = ${projectId} and ${condition}`);

function admit(ctx: Context, found: ProjectRecord, row: Row | null, noun?: string): MergeRequestRecord {
  const request = row && { ...row, project: found, seen_from: fromProject(found) };
  if (!request || !mergeRequestPolicy.read_merge_request(ctx.caller, request)) throw new NotFound(noun);
  return request;
}

const byIid = (iid: number): Fragment => (iid > 2 ** 31 - 1 ? sql`false` : sql`i.iid = ${iid}`);

/** A merge request of a project by its number. @throws NotFound "404 Not found", also where the caller may not read it */
export async function findMergeRequest(ctx: Context, found: ProjectRecord, iid: number): Promise<MergeRequestRecord> {
  return admit(ctx, found, await loadMergeRequest(ctx, found.id, byIid(iid)));
}

/** The merge request of a global id with its project, locked in a transaction. @public @throws NotFound "404 Not found" */
export async function findMergeRequestById(ctx: Context, id: number): Promise<MergeRequestRecord> {
  const place = await ctx.queryOne<{ project_id: number }>(
    sql`select i.project_id as "project_id" from merge_requests i where i.id = ${id}`,
  );
  if (!place) throw new NotFound();
  const found = await findVisible(ctx, place.project_id);
  if (ctx.inTransaction) await lockMergeRequest(ctx, found.id, sql`i.id = ${id}`);
  return admit(ctx, found, await loadMergeRequest(ctx, found.id, sql`i.id = ${id}`));
}

/** A merge request of a project that nobody may see is as absent as one that is not there. */
async function findVisible(ctx: Context, projectId: number): Promise<ProjectRecord> {
  try {
    return await findProject(ctx, projectId);
  } catch (error) {
    throw error instanceof NotFound ? new NotFound() : error;
  }
}

/** The subject of `/projects/:id/merge_requests/:merge_request_iid…`. For a write it is locked. */
export const mergeRequest: Subject<MergeRequestRecord> = {
  noun: 'MergeRequest',
  params: { ...project.params, merge_request_iid: integer().describe('Number of the merge request in its project.') },
  async find(ctx, input: { id: string; merge_request_iid: number }) {
    const { id, merge_request_iid: iid } = input;
    if (!ctx.inTransaction) {
      // Project and merge request by one round trip; what the caller may not see is dropped.
      const [found, row] = await Promise.all([
        findProjectOfUrl(ctx, id),
        loadMergeRequest(ctx, projectIdSql(id), byIid(iid)),
      ]);
      return admit(ctx, found, row);
    }
    const found = await findProjectOfUrl(ctx, id);
    await lockMergeRequest(ctx, found.id, byIid(iid));
    return admit(ctx, found, await loadMergeRequest(ctx, found.id, byIid(iid)));
  },
  about: (record) => aboutProject(record.project),
};
