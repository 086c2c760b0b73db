import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { byId } from '../../core/list.js';
import type { List, OrderStep } from '../../core/list.js';
import { and, columns, or, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { visibleMergeRequests } from '../../merge-requests/merge-requests/visible-merge-requests.js';
import { visibleEpics } from '../../planning/epics/visible-epics.js';
import { visibleIssues } from '../../planning/issues/visible-issues.js';
import { codeProjects } from '../../planning/planning-rights/planning-rights.js';
import { userSummaryColumns } from '../../tenancy/users/user.finder.js';
import type { Noteable } from '../noteables/noteable.js';
import { noteableOf } from '../noteables/noteable-types.js';
import { Note } from './note.entity.js';
import { noteablePolicy } from './note.policy.js';
import type { NoteRecord } from './note.record.js';

export const noteColumns: Sql = sql`${columns(Note, 'n')}, ${userSummaryColumns('a', 'author.')},
  ${userSummaryColumns('rb', 'resolved_by.')}`;
export const noteTables: Sql = sql`notes n
  left join users a on a.id = n.author_id
  left join users rb on rb.id = n.resolved_by_id`;

/** That what a system note `n` speaks of is the caller's to see. Of groups `n` is the name that rights know. */
export const seesReferenced = (ctx: Context): Sql => sql`
  (n.referenced_issue_id is null or exists (
    select 1 from issues i join projects p on p.id = i.project_id
     where i.id = n.referenced_issue_id and (${visibleIssues(ctx)})))
  and (n.referenced_project_id is null or exists (
    select 1 from projects p where p.id = n.referenced_project_id and (${codeProjects(ctx)})))
  and (n.referenced_merge_request_id is null or exists (
    select 1 from merge_requests i join projects p on p.id = i.project_id
     where i.id = n.referenced_merge_request_id and (${visibleMergeRequests(ctx)})))
  and (n.referenced_epic_id is null or exists (
    select 1 from epics i join namespaces n on n.id = i.namespace_id join group_settings gs on gs.namespace_id = n.id
     where i.id = referenced_epic_id and (${visibleEpics(ctx)})))`;

/** Notes `n` of a record that the caller may read: the same rule as `read_note`, as a condition. */
export function visibleNotes(ctx: Context, noteable: Noteable): Sql {
  const { caller } = ctx;
  const open = sql`not n.internal`;
  const internal = noteablePolicy.read_internal_notes(caller, noteable)
    ? sql`true`
    : caller.anonymous
      ? open
      : or([open, sql`n.author_id = ${caller.id}`]);
  return and([noteable.type.holds(noteable), internal, seesReferenced(ctx)]);
}

/** Notes of a record that the caller may read, the first one first. */
export function notesOf(ctx: Context, noteable: Noteable, where: readonly Sql[] = []): List<NoteRecord> {
  return {
    select: noteColumns,
    from: noteTables,
    matching: sql`notes n`,
    where: [visibleNotes(ctx, noteable), ...where],
    order: [byId('n', 'asc')],
    read: (row) => ({ ...row, noteable }),
  };
}

const updatedAt = (direction: 'asc' | 'desc'): OrderStep<NoteRecord> => ({
  key: 'updated_at',
  expression: sql`n.updated_at`,
  direction,
  type: 'instant',
  value: (note) => note.updated_at,
});

/** How notes are ordered; by `created_at` means by id (discussions-and-notes.md section 3.4). */
export function noteOrder(by: 'created_at' | 'updated_at', direction: 'asc' | 'desc'): OrderStep<NoteRecord>[] {
  const last = byId<NoteRecord>('n', direction);
  return by === 'created_at' ? [last] : [updatedAt(direction), last];
}

/** One of them. @throws NotFound "404 Not found", also for one that the caller may not read */
export async function findNote(ctx: Context, noteable: Noteable, id: number): Promise<NoteRecord> {
  const row = await ctx.queryOne<NoteRecord>(sql`
    select ${noteColumns} from ${noteTables} where n.id = ${id} and ${visibleNotes(ctx, noteable)}`);
  if (!row) throw new NotFound();
  return { ...row, noteable };
}

/** A note of whatever record, found with that; for a write the record is locked. @throws NotFound */
export async function findAnyNote(ctx: Context, id: number): Promise<NoteRecord> {
  const row = await ctx.queryOne<Note>(sql`select ${columns(Note, 'n')} from notes n where n.id = ${id}`);
  if (!row) throw new NotFound();
  return findNote(ctx, await noteableOf(ctx, row), id);
}
