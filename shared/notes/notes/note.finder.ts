import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { byId } from '../../core/list.js';
import type { TextList, OrderStep } from '../../core/list.js';
import { and, join, or, raw, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
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

export const noteColumns: Fragment = sql`${textColumns(Note, 'n')}, ${userSummaryColumns('a', 'author.')},
  ${userSummaryColumns('rb', 'resolved_by.')}`;
export const noteTables: Fragment = sql`notes n
  left join users a on a.id = n.author_id
  left join users rb on rb.id = n.resolved_by_id`;

/** What a system note can speak of: its column, and that the caller may see it. Of groups `n` is the name that rights know. */
const REFERENCES: Readonly<Record<string, { column: Fragment; seen: (ctx: Context) => Fragment }>> = {
  issue: {
    column: sql`n.referenced_issue_id`,
    seen: (ctx) => sql`
      select 1 from issues i join projects p on p.id = i.project_id
       where i.id = n.referenced_issue_id and (${visibleIssues(ctx)})`,
  },
  project: {
    column: sql`n.referenced_project_id`,
    seen: (ctx) => sql`select 1 from projects p where p.id = n.referenced_project_id and (${codeProjects(ctx)})`,
  },
  merge_request: {
    column: sql`n.referenced_merge_request_id`,
    seen: (ctx) => sql`
      select 1 from merge_requests i join projects p on p.id = i.project_id
       where i.id = n.referenced_merge_request_id and (${visibleMergeRequests(ctx)})`,
  },
  epic: {
    column: sql`n.referenced_epic_id`,
    seen: (ctx) => sql`
      select 1 from epics i join namespaces n on n.id = i.namespace_id join group_settings gs on gs.namespace_id = n.id
       where i.id = referenced_epic_id and (${visibleEpics(ctx)})`,
  },
};
const ALL_REFERENCES = Object.keys(REFERENCES);

/** That what a system note `n` speaks of is the caller's to see, where it is of some kinds. */
export const seesReferenced = (ctx: Context, kinds: readonly string[] = ALL_REFERENCES): Fragment =>
  and(
    kinds.map((kind) => {
      const { column, seen } = REFERENCES[kind] as (typeof REFERENCES)[string];
      return sql`(${column} is null or exists (${seen(ctx)}))`;
    }),
  );

/** That note `n` speaks of something; the predicate of the partial indexes `notes_*_references`. */
const references = sql`coalesce(n.referenced_issue_id, n.referenced_project_id, n.referenced_merge_request_id,
  n.referenced_epic_id) is not null`;

/** Notes `n` of a record that the caller may read, but for what they speak of. */
function openNotes(ctx: Context, noteable: Noteable): Fragment {
  const { caller } = ctx;
  const open = sql`not n.internal`;
  const internal = noteablePolicy.read_internal_notes(caller, noteable)
    ? sql`true`
    : caller.anonymous
      ? open
      : or([open, sql`n.author_id = ${caller.id}`]);
  return and([noteable.type.holds(noteable), internal]);
}

/** Notes `n` that people wrote about a record and the caller may read: they speak of nothing that has rights of its own. */
export const visibleComments = (ctx: Context, noteable: Noteable): Fragment =>
  and([openNotes(ctx, noteable), sql`not n.system`]);

/** Notes `n` of a record that the caller may read: the same rule as `read_note`, as a condition. */
export const visibleNotes = (ctx: Context, noteable: Noteable): Fragment =>
  and([openNotes(ctx, noteable), seesReferenced(ctx)]);

/**
 * The same, asking only for rights on what this record's notes speak of, which is mostly nothing: to plan and start the
 * conditions of all four kinds costs several times what reading a page of notes does.
 */
export async function visibleNotesOf(ctx: Context, noteable: Noteable): Promise<Fragment> {
  const found = await ctx.queryOne<Record<string, boolean | null>>(sql`
    select ${join(
      ALL_REFERENCES.map((kind) => {
        const { column } = REFERENCES[kind] as (typeof REFERENCES)[string];
        return sql`bool_or(${column} is not null) as ${raw(kind)}`;
      }),
    )} from notes n where ${noteable.type.holds(noteable)} and ${references}`);
  const kinds = ALL_REFERENCES.filter((kind) => found?.[kind]);
  return kinds.length === 0 ? openNotes(ctx, noteable) : and([openNotes(ctx, noteable), seesReferenced(ctx, kinds)]);
}

/** Notes of a record that the caller may read, the first one first. */
export async function notesOf(
  ctx: Context,
  noteable: Noteable,
  where: readonly Fragment[] = [],
): Promise<TextList<NoteRecord>> {
  return {
    select: noteColumns,
    from: noteTables,
    matching: sql`notes n`,
    where: [await visibleNotesOf(ctx, noteable), ...where],
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
    select ${noteColumns} from ${noteTables} where n.id = ${id} and ${openNotes(ctx, noteable)}`);
  if (!row || !(await seesReferencedBy(ctx, row))) throw new NotFound();
  return { ...row, noteable };
}

/** Whether the caller may see what a note speaks of; notes that people wrote speak of nothing. */
async function seesReferencedBy(ctx: Context, note: NoteRecord): Promise<boolean> {
  const kinds = ALL_REFERENCES.filter((kind) => note[`referenced_${kind}_id` as keyof NoteRecord]);
  if (kinds.length === 0) return true;
  const seen = await ctx.queryOne(
    sql`select 1 as seen from notes n where n.id = ${note.id} and ${seesReferenced(ctx, kinds)}`,
  );
  return Boolean(seen);
}

/** A note of whatever record, found with that; for a write the record is locked. @throws NotFound */
export async function findAnyNote(ctx: Context, id: number): Promise<NoteRecord> {
  const row = await ctx.queryOne<Note>(sql`select ${textColumns(Note, 'n')} from notes n where n.id = ${id}`);
  if (!row) throw new NotFound();
  return findNote(ctx, await noteableOf(ctx, row), id);
}
