import { sql } from '../../core/sql.js';
import { plainName, rowsOfRelation, timeOf, userOf } from '../archive-imports/restoring.js';
import type { RestoringGroup } from '../archive-imports/restoring.js';

/**
 * Comments on epics, in their threads, with the emoji that users here gave. Whose author is nobody here is the importer's, and says by whom and when it was
 * written (group-export-import.md section 4.12). The name is another server's: signs that mean something in Markdown
 * are left out of it.
 */
export async function restoreEpicNotes(restoring: RestoringGroup): Promise<void> {
  const { ctx, importId, container: group } = restoring;
  const author = userOf(restoring, sql`(e.data ->> 'author_id')::bigint`);
  const contributor = sql`
    (select c.data ->> 'name' from archive_import_rows c
      where c.import_id = ${importId} and c.relation = 'user_contributions'
        and c.source_id = (e.data ->> 'author_id')::bigint order by c.source_group limit 1)`;
  await ctx.query(sql`
    with told as materialized (
      select nextval(pg_get_serial_sequence('notes', 'id')) as id, r.made_id as epic_id, r.line, e.at, e.data, ${author} as author_id,
             coalesce((e.data ->> 'created_at')::timestamptz, ${timeOf(restoring, 'created_at')}) as created_at,
             ${plainName(sql`coalesce(e.data -> 'author' ->> 'name', ${contributor})`)} as name
        from archive_import_rows r, jsonb_array_elements(coalesce(nullif(r.data -> 'notes', 'null'), '[]')) with ordinality as e (data, at)
       where ${rowsOfRelation(restoring, 'epics')} and r.made_id is not null
       order by r.line, created_at, e.at),
    made as (
    insert into notes (id, namespace_id, epic_id, discussion_id, type, note, author_id, system, action, internal, last_edited_at, created_at, updated_at)
    select t.id, ${group.id}::bigint, t.epic_id,
           left(encode(sha256(convert_to(concat_ws(' ', ${importId}::bigint, t.epic_id, coalesce(t.data ->> 'discussion_id', 'alone ' || t.at)), 'UTF8')), 'hex'), 40),
           case when t.data ->> 'type' is not null then 'DiscussionNote' end,
           (t.data ->> 'note') || case when t.author_id is null and not coalesce((t.data ->> 'system')::boolean, false) then
             E'\n\n*By ' || coalesce(nullif(t.name, ''), 'an unknown user') || ' on ' ||
             to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ' (imported)*' else '' end,
           coalesce(t.author_id, ${ctx.caller.id}::bigint), coalesce((t.data ->> 'system')::boolean, false),
           case when (t.data ->> 'system')::boolean then left(t.data -> 'system_note_metadata' ->> 'action', 64) end,
           coalesce((t.data ->> 'internal')::boolean, false), (t.data ->> 'last_edited_at')::timestamptz,
           t.created_at, coalesce((t.data ->> 'updated_at')::timestamptz, t.created_at)
      from told t)
    insert into note_award_emojis (namespace_id, note_id, user_id, name, created_at, updated_at)
    select ${group.id}::bigint, a.id, a.user_id, a.name, min(a.time), min(a.time)
      from (select t.id, ${userOf(restoring, sql`(w.data ->> 'user_id')::bigint`)} as user_id, w.data ->> 'name' as name, w.at,
                   coalesce((w.data ->> 'created_at')::timestamptz, t.created_at) as time
              from told t, jsonb_array_elements(coalesce(nullif(t.data -> 'award_emoji', 'null'), '[]'))
                   with ordinality as w (data, at)) a
     where a.user_id is not null and a.name ~ '^[a-z0-9_+-]{1,64}$'
     group by a.id, a.user_id, a.name order by a.id, min(a.at)`);
}
