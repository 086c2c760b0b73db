import { ISSUE_COLUMNS, ISSUE_TABLES, issueJson } from './issue-json.js';
import type { IssueRow } from './issue-json.js';
import { pageHeaders } from './page-headers.js';
import { ACCESS } from './twin-database.js';
import type { Answer, TwinDatabase } from './twin-database.js';

const PLANNER = 15;
const PER_PAGE = 20;

const PROJECT = `
  select p.id, n.traversal_ids, ${ACCESS} as access from projects p join namespaces n on n.id = p.namespace_id where p.id = $2`;

/** Issues of a project with a label of it or of its groups. */
const MATCHES = `
  from issues i where i.project_id = $2 and i.state = 'opened' and exists (
    select 1 from issue_labels x where x.issue_id = i.id and x.label_id = $3)`;

const LABEL = `
  with project as (${PROJECT})
  select project.access, l.id as label_id from project join labels l on l.title = $3
     and (l.project_id = project.id or l.namespace_id = any(project.traversal_ids))`;
const LIST = `
  select ${ISSUE_COLUMNS} from (select i.* ${MATCHES} order by i.updated_at desc, i.id desc limit ${PER_PAGE + 1}) i
    ${ISSUE_TABLES} order by i.updated_at desc, i.id desc`;
const COUNT = `select count(*)::int as total from (select 1 ${MATCHES} limit 10001) seen`;

/** `GET /projects/:id/issues?labels=…&state=opened&order_by=updated_at` for Planners and above, of all others 404. */
export async function issueList(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const [projectId, written] = [Number(match[1]), match[2] as string];
  const title = decodeURIComponent(written);
  const [label] = await db.rows<{ access: number; label_id: number }>('label', LABEL, [userId, projectId, title]);
  if (!label || label.access < PLANNER) return null;
  const values = [projectId, label.label_id];
  const shifted = (text: string) => text.replaceAll('$2', '$1').replaceAll('$3', '$2');
  const [rows, [count]] = await Promise.all([
    db.rows<IssueRow>('issues', shifted(LIST), values),
    db.rows<{ total: number }>('issues count', shifted(COUNT), values),
  ]);
  return {
    body: JSON.stringify(rows.slice(0, PER_PAGE).map((row) => issueJson(row, db.externalUrl, `#${row.iid}`))),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/projects/${projectId}/issues`,
      `labels=${written}&state=opened&order_by=updated_at&page=#&per_page=${PER_PAGE}`,
      PER_PAGE,
      count?.total ?? 0,
    ),
  };
}

const READ = `
  with project as (${PROJECT})
  select project.access, ${ISSUE_COLUMNS},
         coalesce((select s.subscribed from issue_subscriptions s where s.issue_id = i.id and s.user_id = $1),
           i.author_id = $1 or exists (select 1 from issue_assignees o where o.issue_id = i.id and o.user_id = $1)) as subscribed
    from project join issues i on i.project_id = project.id ${ISSUE_TABLES} where i.iid = $3`;

/** `GET /projects/:id/issues/:iid` for Planners and above. */
export async function issueRead(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const values = [userId, Number(match[1]), Number(match[2])];
  const [row] = await db.rows<IssueRow & { access: number; subscribed: boolean }>('issue', READ, values);
  if (!row || row.access < PLANNER) return null;
  return {
    body: JSON.stringify({ ...issueJson(row, db.externalUrl, `#${row.iid}`), subscribed: row.subscribed }),
  };
}

interface LinkRow extends IssueRow {
  access: number;
  link_id: number;
  link_type: string;
  link_created_at: Date;
  link_updated_at: Date;
}

const LINKS = `
  with project as (${PROJECT}),
  links as (
    select l.id, l.created_at, l.updated_at, l.target_id as other_id, l.link_type
      from issue_links l join issues s on s.id = l.source_id where s.project_id = $2 and s.iid = $3
    union all
    select l.id, l.created_at, l.updated_at, l.source_id,
           case l.link_type when 'blocks' then 'is_blocked_by' else l.link_type end
      from issue_links l join issues s on s.id = l.target_id where s.project_id = $2 and s.iid = $3)
  select project.access, ${ISSUE_COLUMNS}, k.id as link_id, k.link_type, k.created_at as link_created_at,
         k.updated_at as link_updated_at
    from project cross join links k join issues i on i.id = k.other_id and i.project_id = project.id ${ISSUE_TABLES}
   order by k.id`;

/** `GET /projects/:id/issues/:iid/links` for Planners and above, of links within the project. */
export async function issueLinks(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const values = [userId, Number(match[1]), Number(match[2])];
  const rows = await db.rows<LinkRow>('issue links', LINKS, values);
  if (rows.some(({ access }) => access < PLANNER)) return null;
  const body = rows.map((row) => ({
    ...issueJson(row, db.externalUrl, `#${row.iid}`),
    issue_link_id: row.link_id,
    link_type: row.link_type,
    link_created_at: row.link_created_at.toISOString(),
    link_updated_at: row.link_updated_at.toISOString(),
  }));
  return { body: JSON.stringify(body) };
}

const GROUP = `
  select r.path, array(select p.id from projects p join namespaces n on n.id = p.namespace_id
                        where n.traversal_ids @> array[$2::bigint] and not p.archived and not n.archived) as projects,
         coalesce((select max(m.access_level) from group_members m where m.user_id = $1 and m.namespace_id = $2), 0) as access
    from routes r where r.namespace_id = $2`;
const GROUP_LIST = `
  select ${ISSUE_COLUMNS} from (
      select i.* from issues i where i.project_id = any($1::bigint[]) order by i.created_at desc, i.id desc
       limit ${PER_PAGE + 1}) i ${ISSUE_TABLES} order by i.created_at desc, i.id desc`;
const GROUP_COUNT = `
  select count(*)::int as total from (select 1 from issues i where i.project_id = any($1::bigint[]) limit 10001) seen`;

const getParent = (path: string) => path.slice(0, path.lastIndexOf('/'));

/** `GET /groups/:id/issues` for Planners and above of the group. */
export async function groupIssues(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const id = Number(match[1]);
  const [group] = await db.rows<{ path: string; projects: number[]; access: number }>('group', GROUP, [userId, id]);
  if (!group || group.access < PLANNER) return null;
  const values = [group.projects];
  const [rows, [count]] = await Promise.all([
    db.rows<IssueRow>('group issues', GROUP_LIST, values),
    db.rows<{ total: number }>('group issues count', GROUP_COUNT, values),
  ]);
  const relative = ({ full_path: path, iid }: IssueRow) =>
    getParent(path) === group.path ? `${path.slice(group.path.length + 1)}#${iid}` : `${path}#${iid}`;
  const total = count?.total ?? 0;
  return {
    body: JSON.stringify(rows.slice(0, PER_PAGE).map((row) => issueJson(row, db.externalUrl, relative(row)))),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/groups/${id}/issues`,
      `page=#&per_page=${PER_PAGE}`,
      PER_PAGE,
      total > 10_000 ? null : total,
    ),
  };
}

const INSERT = `
  with project as (${PROJECT}),
  counter as (
    insert into project_counters (project_id, kind, last_value)
    select project.id, 'issue', 1 from project where project.access >= ${PLANNER}
    on conflict (project_id, kind) do update set last_value = project_counters.last_value + 1 returning last_value),
  made as (
    insert into issues (project_id, iid, title, description, author_id, created_at, updated_at)
    select $2, counter.last_value, $3, $4, $1, $6, $6 from counter returning *),
  named as (
    select l.id, l.title from project join labels l on l.title = any($5::text[])
       and (l.project_id = project.id or l.namespace_id = any(project.traversal_ids))),
  labelled as (insert into issue_labels (project_id, issue_id, label_id) select $2, made.id, named.id from made, named),
  told as (
    insert into issue_label_events (project_id, issue_id, user_id, created_at, label_id, action)
    select $2, made.id, $1, $6, named.id, 'add' from made, named),
  sent as (insert into issue_user_agents (issue_id, project_id, user_agent, ip_address) select id, $2, $7, '127.0.0.1' from made),
  counted as (
    insert into project_issue_counts (project_id, opened, opened_confidential) select $2, 1, 0 from made
    on conflict (project_id, part) do update set opened = project_issue_counts.opened + 1)
  select i.*, null as due_day, r.path as full_path, row_to_json(u) as author, null as closed_by, '[]'::json as assignees,
         array(select title from named order by title) as labels, null as milestone, 0 as blocking, null as epic_id
    from made i join routes r on r.project_id = i.project_id join users u on u.id = $1`;

/**
 * `POST /projects/:id/issues` with title, description and labels that are there, by one statement. The copy of the issue
 * in its labels is what they begin with: the trigger finds no issue yet.
 */
export async function newIssue(
  db: TwinDatabase,
  userId: number,
  match: RegExpExecArray,
  body: string,
): Promise<Answer | null> {
  const { title, description, labels } = JSON.parse(body) as { title?: string; description?: string; labels?: string };
  const values = [userId, Number(match[1]), title, description, labels?.split(',') ?? [], new Date(), ''];
  const [row] = await db.rows<IssueRow>('new issue', INSERT, values);
  if (!row) return null;
  return {
    status: 201,
    body: JSON.stringify({ ...issueJson(row, db.externalUrl, `#${row.iid}`), subscribed: true }),
  };
}
