import { userColumns, userJson } from './issue-json.js';
import type { UserRow } from './issue-json.js';
import { pageHeaders } from './page-headers.js';
import { ACCESS } from './twin-database.js';
import type { Answer, TwinDatabase } from './twin-database.js';

const PLANNER = 15;
const PER_PAGE = 20;

const ISSUE = `
  select i.id, i.iid, i.project_id, ${ACCESS} as access
    from projects p join namespaces n on n.id = p.namespace_id join issues i on i.project_id = p.id
   where p.id = $2 and i.iid = $3`;

interface IssueOfNotes {
  id: number;
  iid: number;
  project_id: number;
  access: number;
}

interface NoteRow {
  id: number;
  discussion_id: string;
  type: string | null;
  note: string;
  created_at: Date;
  updated_at: Date;
  system: boolean;
  internal: boolean;
  imported_from: string;
  resolved_at: Date | null;
  author: UserRow | null;
  resolved_by: UserRow | null;
}

const COLUMNS = `
  n.id, n.discussion_id, n.type, n.note, n.created_at, n.updated_at, n.system, n.internal, n.imported_from, n.resolved_at,
  case when a.id is not null then ${userColumns('a')} end as author,
  case when b.id is not null then ${userColumns('b')} end as resolved_by`;
const PEOPLE = `left join users a on a.id = n.author_id left join users b on b.id = n.resolved_by_id`;

function noteJson(row: NoteRow, issue: IssueOfNotes, base: string) {
  const resolvable = row.type !== null && !row.system;
  return {
    id: row.id,
    type: row.type,
    body: row.note,
    attachment: null,
    author: row.author && userJson(row.author, base),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    system: row.system,
    noteable_id: issue.id,
    noteable_type: 'Issue',
    project_id: issue.project_id,
    resolvable,
    ...(resolvable
      ? {
          resolved: row.resolved_at !== null,
          resolved_by: row.resolved_by && userJson(row.resolved_by, base),
          resolved_at: row.resolved_at?.toISOString() ?? null,
        }
      : {}),
    confidential: row.internal,
    internal: row.internal,
    imported: row.imported_from !== 'none',
    imported_from: row.imported_from,
    noteable_iid: issue.iid,
    commands_changes: {},
  };
}

/** The issue of a path, for Planners and above. */
async function getIssue(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<IssueOfNotes | null> {
  const [issue] = await db.rows<IssueOfNotes>('issue of notes', ISSUE, [userId, Number(match[1]), Number(match[2])]);
  return issue && issue.access >= PLANNER ? issue : null;
}

const FIRST = `
  select distinct on (n.discussion_id) n.discussion_id, n.id, n.created_at from notes n where n.issue_id = $1
   order by n.discussion_id, n.created_at, n.id`;
const THREADS = `
  select ${COLUMNS} from (select * from (${FIRST}) f order by f.created_at, f.id limit ${PER_PAGE}) d
    join notes n on n.discussion_id = d.discussion_id and n.issue_id = $1 ${PEOPLE}
   order by d.created_at, d.id, n.created_at, n.id`;
const COUNT_THREADS = `select count(distinct n.discussion_id)::int as total from notes n where n.issue_id = $1`;

/** `GET /projects/:id/issues/:iid/discussions`, the first page. */
export async function discussionList(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const issue = await getIssue(db, userId, match);
  if (!issue) return null;
  const [rows, [count]] = await Promise.all([
    db.rows<NoteRow>('threads', THREADS, [issue.id]),
    db.rows<{ total: number }>('threads count', COUNT_THREADS, [issue.id]),
  ]);
  const threads = [...Map.groupBy(rows, (row) => row.discussion_id)].map(([id, notes]) => ({
    id,
    individual_note: notes[0]?.type === null,
    notes: notes.map((note) => noteJson(note, issue, db.externalUrl)),
  }));
  return {
    body: JSON.stringify(threads),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/projects/${issue.project_id}/issues/${issue.iid}/discussions`,
      `page=#&per_page=${PER_PAGE}`,
      PER_PAGE,
      count?.total ?? 0,
    ),
  };
}

const LISTED = `from notes n where n.issue_id = $1 and n.type is distinct from 'DiscussionNote'`;
const NOTES = `
  select ${COLUMNS} from (select n.* ${LISTED} order by n.id desc limit ${PER_PAGE}) n ${PEOPLE} order by n.id desc`;
const COUNT_NOTES = `select count(*)::int as total ${LISTED}`;

/** `GET /projects/:id/issues/:iid/notes`, the first page. */
export async function noteList(db: TwinDatabase, userId: number, match: RegExpExecArray): Promise<Answer | null> {
  const issue = await getIssue(db, userId, match);
  if (!issue) return null;
  const [rows, [count]] = await Promise.all([
    db.rows<NoteRow>('notes', NOTES, [issue.id]),
    db.rows<{ total: number }>('notes count', COUNT_NOTES, [issue.id]),
  ]);
  return {
    body: JSON.stringify(rows.map((row) => noteJson(row, issue, db.externalUrl))),
    headers: pageHeaders(
      `${db.externalUrl}/api/v4/projects/${issue.project_id}/issues/${issue.iid}/notes`,
      `page=#&per_page=${PER_PAGE}`,
      PER_PAGE,
      count?.total ?? 0,
    ),
  };
}

const INSERT = `
  with issue as (select i.id, i.project_id from issues i where i.id = $2 for no key update),
  made as (
    insert into notes (project_id, issue_id, discussion_id, note, author_id, created_at, updated_at)
    select issue.project_id, issue.id, encode(sha256(gen_random_uuid()::text::bytea), 'hex')::char(40), $3, $1, $4, $4
      from issue returning *),
  touched as (update issues i set updated_at = $4 from made where i.id = made.issue_id),
  told as (
    insert into events (project_id, author_id, action, note_id, created_at)
    select made.project_id, $1, 'commented', made.id, $4 from made)
  select n.id, n.discussion_id, n.type, n.note, n.created_at, n.updated_at, n.system, n.internal, n.imported_from,
         n.resolved_at, ${userColumns('a')} as author, null as resolved_by
    from made n join users a on a.id = $1`;

/** `POST /projects/:id/issues/:iid/notes` with a body without mentions. */
export async function newNote(
  db: TwinDatabase,
  userId: number,
  match: RegExpExecArray,
  body: string,
): Promise<Answer | null> {
  const issue = await getIssue(db, userId, match);
  if (!issue) return null;
  const { body: text } = JSON.parse(body) as { body?: string };
  const [row] = await db.rows<NoteRow>('new note', INSERT, [userId, issue.id, text, new Date()]);
  return row ? { status: 201, body: JSON.stringify(noteJson(row, issue, db.externalUrl)) } : null;
}
