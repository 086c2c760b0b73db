import { textColorOn } from '../../../shared/planning/labels/label-colors.js';
import { userColumns, userJson } from './issue-json.js';
import type { UserRow } from './issue-json.js';
import { pageHeaders } from './page-headers.js';
import { ACCESS } from './twin-database.js';
import type { Answer, TwinDatabase } from './twin-database.js';

const PLANNER = 15;
const PER_PAGE = 20;

const GROUP = `
  select n.id, r.path, coalesce((select max(m.access_level) from group_members m
           where m.user_id = $1 and m.namespace_id = any(n.traversal_ids)
             and (m.expires_on is null or m.expires_on > current_date)), 0) as access
    from namespaces n join routes r on r.namespace_id = n.id where n.id = $2`;

interface EpicRow {
  id: number;
  namespace_id: number;
  iid: number;
  title: string;
  description: string | null;
  state: string;
  confidential: boolean;
  color: string;
  start_date_is_fixed: boolean;
  start_fixed: string | null;
  start_inherited: string | null;
  due_date_is_fixed: boolean;
  due_fixed: string | null;
  due_inherited: string | null;
  upvotes: number;
  downvotes: number;
  imported_from: string;
  created_at: Date;
  updated_at: Date;
  closed_at: Date | null;
  full_path: string;
  author: UserRow | null;
  labels: string[];
  subscribed: boolean;
}

/** Of an epic that has none below it: days come from the milestones of its own issues. */
const inherited = (which: string, day: string) => `
  (select to_char(${which}(m.${day}), 'YYYY-MM-DD') from epic_issues x join issues o on o.id = x.issue_id
     join milestones m on m.id = o.milestone_id where x.epic_id = e.id)`;

const COLUMNS = `
  e.id, e.namespace_id, e.iid, e.title, e.description, e.state, e.confidential, e.color, e.start_date_is_fixed,
  to_char(e.start_date_fixed, 'YYYY-MM-DD') as start_fixed, ${inherited('min', 'start_date')} as start_inherited,
  e.due_date_is_fixed, to_char(e.due_date_fixed, 'YYYY-MM-DD') as due_fixed, ${inherited('max', 'due_date')} as due_inherited,
  e.upvotes, e.downvotes, e.imported_from, e.created_at, e.updated_at, e.closed_at, r.path as full_path,
  case when a.id is not null then ${userColumns('a')} end as author,
  array(select l.title from epic_labels x join labels l on l.id = x.label_id where x.epic_id = e.id order by l.title, l.id) as labels`;
const TABLES = `join routes r on r.namespace_id = e.namespace_id left join users a on a.id = e.author_id`;

function epicJson(row: EpicRow, base: string, path: string) {
  const self = `${base}/api/v4/groups/${row.namespace_id}/epics/${row.iid}`;
  const page = `${base}/groups/${row.full_path}/-/epics/${row.iid}`;
  const [short, full] = [`&${row.iid}`, `${row.full_path}&${row.iid}`];
  const start = row.start_date_is_fixed ? row.start_fixed : row.start_inherited;
  const end = row.due_date_is_fixed ? row.due_fixed : row.due_inherited;
  return {
    id: row.id,
    work_item_id: null,
    iid: row.iid,
    color: row.color,
    text_color: textColorOn(row.color),
    group_id: row.namespace_id,
    parent_id: null,
    parent_iid: null,
    imported: row.imported_from !== 'none',
    imported_from: row.imported_from,
    title: row.title,
    description: row.description,
    confidential: row.confidential,
    author: row.author && userJson(row.author, base),
    start_date: start,
    start_date_is_fixed: row.start_date_is_fixed,
    start_date_fixed: row.start_fixed,
    start_date_from_inherited_source: row.start_inherited,
    start_date_from_milestones: row.start_inherited,
    end_date: end,
    due_date: end,
    due_date_is_fixed: row.due_date_is_fixed,
    due_date_fixed: row.due_fixed,
    due_date_from_inherited_source: row.due_inherited,
    due_date_from_milestones: row.due_inherited,
    state: row.state,
    web_edit_url: `${page}/edit`,
    web_url: page,
    references: { short, relative: row.full_path === path ? short : full, full },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    closed_at: row.closed_at?.toISOString() ?? null,
    labels: row.labels,
    upvotes: row.upvotes,
    downvotes: row.downvotes,
    _links: { self, epic_issues: `${self}/issues`, group: `${base}/api/v4/groups/${row.namespace_id}`, parent: null },
  };
}

interface GroupRow {
  id: number;
  path: string;
  access: number;
}

const getGroup = async (db: TwinDatabase, userId: number, id: number) =>
  (await db.rows<GroupRow>('group of epics', GROUP, [userId, id]))[0];

const BELOW = `array(select n.id from namespaces n where n.traversal_ids @> array[$1::bigint])`;
const EPICS = `
  select ${COLUMNS} from (
      select e.* from epics e where e.namespace_id = any(${BELOW}) order by e.created_at desc, e.id desc limit ${PER_PAGE}) e ${TABLES}
   order by e.created_at desc, e.id desc`;
const COUNT_EPICS = `select count(*)::int as total from epics e where e.namespace_id = any(${BELOW})`;

/** `GET /groups/:id/epics` for Planners and above. */
export async function epicList(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const group = await getGroup(db, userId, Number(match[1]));
  if (!group || group.access < PLANNER) return null;
  const [rows, [count]] = await Promise.all([
    db.rows<EpicRow>('epics', EPICS, [group.id]),
    db.rows<{ total: number }>('epics count', COUNT_EPICS, [group.id]),
  ]);
  return {
    body: JSON.stringify(rows.map((row) => epicJson(row, db.externalUrl, group.path))),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/groups/${group.id}/epics`,
      `page=#&per_page=${PER_PAGE}`,
      PER_PAGE,
      count?.total ?? 0,
    ),
  };
}

const READ = `
  select ${COLUMNS}, coalesce((select s.subscribed from epic_subscriptions s where s.epic_id = e.id and s.user_id = $1),
           e.author_id = $1) as subscribed
    from epics e ${TABLES} where e.namespace_id = $2 and e.iid = $3`;

/** `GET /groups/:id/epics/:iid` for Planners and above. */
export async function epicRead(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const id = Number(match[1]);
  const [group, [row]] = await Promise.all([
    getGroup(db, userId, id),
    db.rows<EpicRow>('epic', READ, [userId, id, Number(match[2])]),
  ]);
  if (!group || group.access < PLANNER || !row) return null;
  return { body: JSON.stringify({ ...epicJson(row, db.externalUrl, group.path), subscribed: row.subscribed }) };
}

const PROJECT = `
  select p.id, r.path, ${ACCESS} as access
    from projects p join namespaces n on n.id = p.namespace_id join routes r on r.project_id = p.id where p.id = $2`;
const SNIPPETS = `
  select s.id, s.title, s.description, s.visibility, s.file_paths, s.imported_from, s.created_at, s.updated_at, c.branch,
         case when a.id is not null then ${userColumns('a')} end as author
    from snippets s join content_repositories c on c.snippet_id = s.id left join users a on a.id = s.author_id
   where s.project_id = $1 order by s.id desc limit ${PER_PAGE}`;
const COUNT_SNIPPETS = `select count(*)::int as total from snippets s where s.project_id = $1`;

interface SnippetRow {
  id: number;
  title: string;
  description: string | null;
  visibility: string;
  file_paths: string[];
  imported_from: string;
  created_at: Date;
  updated_at: Date;
  branch: string;
  author: UserRow | null;
}

function snippetJson(row: SnippetRow, base: string, project: GroupRow) {
  const page = `${base}/${project.path}/-/snippets/${row.id}`;
  return {
    id: row.id,
    title: row.title,
    description: row.description,
    visibility: row.visibility,
    author: row.author && userJson(row.author, base),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    project_id: project.id,
    web_url: page,
    raw_url: `${page}/raw`,
    ssh_url_to_repo: `git@${new URL(base).hostname}:${project.path}/snippets/${row.id}.git`,
    http_url_to_repo: `${base}/${project.path}/snippets/${row.id}.git`,
    file_name: row.file_paths[0] ?? null,
    files: row.file_paths.map((path) => ({ path, raw_url: `${page}/raw/${row.branch}/${encodeURIComponent(path)}` })),
    imported: row.imported_from !== 'none',
    imported_from: row.imported_from,
  };
}

/** `GET /projects/:id/snippets` for members. */
export async function snippetList(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const [project] = await db.rows<GroupRow>('project of snippets', PROJECT, [userId, Number(match[1])]);
  if (!project || project.access < PLANNER) return null;
  const [rows, [count]] = await Promise.all([
    db.rows<SnippetRow>('snippets', SNIPPETS, [project.id]),
    db.rows<{ total: number }>('snippets count', COUNT_SNIPPETS, [project.id]),
  ]);
  return {
    body: JSON.stringify(rows.map((row) => snippetJson(row, db.externalUrl, project))),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/projects/${project.id}/snippets`,
      `page=#&per_page=${PER_PAGE}`,
      PER_PAGE,
      count?.total ?? 0,
    ),
  };
}
