import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { NamedIssue } from '../../planning/planning.events.js';

/**
 * Writes the notes of an issue anew on the one that it was moved or cloned to, threads, system notes and emoji included.
 * The new threads have ids of their own, since those of the original stay where they are. Internal notes stay internal,
 * and what a note refers to still decides who sees it.
 */
export async function copyNotes(ctx: Context<Caller>, from: NamedIssue, to: NamedIssue): Promise<void> {
  await ctx.query(sql`
    with threads as materialized (
      select t.discussion_id as old_id, substr(encode(sha256(gen_random_uuid()::text::bytea), 'hex'), 1, 40) as new_id
        from (select distinct n.discussion_id from notes n where n.issue_id = ${from.issue.id}) t),
    copied as materialized (
      select n.*, t.new_id, nextval(pg_get_serial_sequence('notes', 'id')) as copy_id
        from (select * from notes n where n.issue_id = ${from.issue.id} order by n.id) n
        join threads t on t.old_id = n.discussion_id),
    written as (
      insert into notes (id, project_id, issue_id, discussion_id, type, note, author_id, system, action,
                         referenced_issue_id, referenced_project_id, referenced_merge_request_id,
                         referenced_epic_id, internal, imported_from, resolved_at,
                         resolved_by_id, last_edited_at, last_edited_by_id, created_at, updated_at)
      select c.copy_id, ${to.issue.project_id}, ${to.issue.id}, c.new_id, c.type, c.note, c.author_id, c.system, c.action,
             c.referenced_issue_id, c.referenced_project_id, c.referenced_merge_request_id, c.referenced_epic_id, c.internal, c.imported_from, c.resolved_at,
             c.resolved_by_id, c.last_edited_at, c.last_edited_by_id, c.created_at, c.updated_at
        from copied c order by c.copy_id
      returning id),
    mentioned as (
      insert into note_mentions (project_id, note_id, user_id)
      select ${to.issue.project_id}, c.copy_id, m.user_id
        from copied c join note_mentions m on m.note_id = c.id)
    insert into note_award_emojis (project_id, note_id, user_id, name, created_at, updated_at)
    select ${to.issue.project_id}, c.copy_id, e.user_id, e.name, e.created_at, e.updated_at
      from copied c join note_award_emojis e on e.note_id = c.id order by e.id`);
}
