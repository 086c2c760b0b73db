import { MERGE_REQUEST_COLUMNS, MERGE_REQUEST_TABLES, mergeRequestJson } from './merge-request-json.js';
import type { MergeRequestRow } from './merge-request-json.js';
import { pageHeaders } from './page-headers.js';
import { ACCESS } from './twin-database.js';
import type { Answer, TwinDatabase } from './twin-database.js';

const REPORTER = 20;
const DEVELOPER = 30;
const PER_PAGE = 20;

const PROJECT = `
  select p.id, n.traversal_ids, ${ACCESS} as access from projects p join namespaces n on n.id = p.namespace_id where p.id = $2`;

const MATCHES = `from merge_requests i where i.project_id = $1 and i.state = 'opened'`;
const LIST = `
  select ${MERGE_REQUEST_COLUMNS} from (
      select i.* ${MATCHES} order by i.created_at desc, i.id desc limit ${PER_PAGE + 1}) i ${MERGE_REQUEST_TABLES}
   order by i.created_at desc, i.id desc`;
const COUNT = `select count(*)::int as total from (select 1 ${MATCHES} limit 10001) seen`;

/** `GET /projects/:id/merge_requests?state=opened` for Reporters and above. */
export async function mergeRequestList(
  db: TwinDatabase,
  userId: number,
  match: RegExpExecArray,
): Promise<Answer | null> {
  const projectId = Number(match[1]);
  const [project] = await db.rows<{ access: number }>('project', PROJECT, [userId, projectId]);
  if (!project || project.access < REPORTER) return null;
  const [rows, [count]] = await Promise.all([
    db.rows<MergeRequestRow>('merge requests', LIST, [projectId]),
    db.rows<{ total: number }>('merge requests count', COUNT, [projectId]),
  ]);
  return {
    body: JSON.stringify(rows.slice(0, PER_PAGE).map((row) => mergeRequestJson(row, db.externalUrl, `!${row.iid}`))),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/projects/${projectId}/merge_requests`,
      `state=opened&page=#&per_page=${PER_PAGE}`,
      PER_PAGE,
      count?.total ?? 0,
    ),
  };
}

interface ReadRow extends MergeRequestRow {
  access: number;
  subscribed: boolean;
  files_count: number | null;
  deployed_at: Date | null;
}

const READ = `
  with project as (${PROJECT})
  select project.access, ${MERGE_REQUEST_COLUMNS}, v.files_count,
         coalesce((select s.subscribed from merge_request_subscriptions s where s.merge_request_id = i.id and s.user_id = $1),
           i.author_id = $1 or exists (select 1 from merge_request_assignees o where o.merge_request_id = i.id and o.user_id = $1))
           as subscribed,
         (select min(d.finished_at) from deployment_merge_requests l join deployments d on d.id = l.deployment_id
            join environments e on e.id = l.environment_id where l.merge_request_id = i.id and e.tier = 'production') as deployed_at,
         (select g.id from pipelines g where g.project_id = i.project_id and g.sha = i.head_sha order by g.id desc limit 1) as pipeline
    from project join merge_requests i on i.project_id = project.id ${MERGE_REQUEST_TABLES}
    left join lateral (select x.files_count from merge_request_versions x where x.merge_request_id = i.id
                        order by x.id desc limit 1) v on true
   where i.iid = $3`;

/** `GET /projects/:id/merge_requests/:iid` for Reporters, who may not merge. */
export async function mergeRequestRead(
  db: TwinDatabase,
  userId: number,
  match: RegExpExecArray,
): Promise<Answer | null> {
  const [row] = await db.rows<ReadRow>('merge request', READ, [userId, Number(match[1]), Number(match[2])]);
  if (!row || row.access < REPORTER) return null;
  return {
    body: JSON.stringify({
      ...mergeRequestJson(row, db.externalUrl, `!${row.iid}`),
      subscribed: row.subscribed,
      changes_count: row.files_count === null ? null : String(row.files_count),
      latest_build_started_at: null,
      latest_build_finished_at: null,
      first_deployed_to_production_at: row.deployed_at?.toISOString() ?? null,
      pipeline: null,
      head_pipeline: null,
      diff_refs: { base_sha: row.base_sha, head_sha: row.head_sha, start_sha: row.start_sha },
      merge_error: null,
      user: { can_merge: row.access >= DEVELOPER },
    }),
  };
}

const GROUP = `
  select r.path, array(select p.id from projects p join namespaces n on n.id = p.namespace_id
                        where n.traversal_ids @> array[$2::bigint] and not p.archived and not n.archived) as projects,
         coalesce((select max(m.access_level) from group_members m where m.user_id = $1 and m.namespace_id = $2), 0) as access
    from routes r where r.namespace_id = $2`;
const GROUP_LIST = `
  select ${MERGE_REQUEST_COLUMNS} from (
      select i.* from merge_requests i where i.project_id = any($1::bigint[]) order by i.created_at desc, i.id desc
       limit ${PER_PAGE + 1}) i ${MERGE_REQUEST_TABLES} order by i.created_at desc, i.id desc`;
const GROUP_COUNT = `
  select count(*)::int as total from (select 1 from merge_requests i where i.project_id = any($1::bigint[]) limit 10001) seen`;

const getParent = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** `GET /groups/:id/merge_requests` for Reporters and above of the group. */
export async function groupMergeRequests(
  db: TwinDatabase,
  userId: number,
  match: RegExpExecArray,
): Promise<Answer | null> {
  const id = Number(match[1]);
  const [group] = await db.rows<{ path: string; projects: number[]; access: number }>('group', GROUP, [userId, id]);
  if (!group || group.access < REPORTER) return null;
  const [rows, [count]] = await Promise.all([
    db.rows<MergeRequestRow>('group merge requests', GROUP_LIST, [group.projects]),
    db.rows<{ total: number }>('group merge requests count', GROUP_COUNT, [group.projects]),
  ]);
  const relative = ({ full_path: path, iid }: MergeRequestRow) =>
    getParent(path) === group.path ? `${path.slice(group.path.length + 1)}!${iid}` : `${path}!${iid}`;
  const total = count?.total ?? 0;
  return {
    body: JSON.stringify(rows.slice(0, PER_PAGE).map((row) => mergeRequestJson(row, db.externalUrl, relative(row)))),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/groups/${id}/merge_requests`,
      `page=#&per_page=${PER_PAGE}`,
      PER_PAGE,
      total > 10_000 ? null : total,
    ),
  };
}
