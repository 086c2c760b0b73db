import { sql } from '../../core/sql.js';
import { plainName } from '../archive-imports/contributor-name.js';
import { userOf } from '../archive-imports/restoring.js';
import { elementsOf, elementTime } from './restoring-project.js';
import type { RestoringProject } from './restoring-project.js';

/**
 * Comments on issues, in their threads, with their emoji. Whose author is nobody here is the importer's, and says by
 * whom and when it was written (group-export-import.md section 4.12). The name is another server's: signs that mean
 * something in Markdown are left out of it.
 */
export async function restoreIssueNotes(restoring: RestoringProject): Promise<void> {
  const { ctx, importId, project } = restoring;
  const author = userOf(restoring, sql`(e.data ->> 'author_id')::bigint`);
  const awarding = userOf(restoring, sql`(a.data ->> 'user_id')::bigint`);
  await ctx.query(sql`
    with found as (
      select r.made_id as issue_id, r.line, e.at, e.data, ${author} as author_id, ${elementTime(restoring)} as created_at,
             ${plainName(sql`e.data -> 'author' ->> 'name'`)} as name
        from ${elementsOf(restoring, 'issues', 'notes')}),
    told as materialized (
      select nextval(pg_get_serial_sequence('notes', 'id')) as id, f.*
        from (select * from found order by line, created_at, at) f),
    made as (
      insert into notes (id, project_id, issue_id, discussion_id, type, note, author_id, system, action, internal,
                         resolved_at, resolved_by_id, last_edited_at, created_at, updated_at)
      select t.id, ${project.id}::bigint, t.issue_id,
             left(encode(sha256(convert_to(concat_ws(' ', ${importId}::bigint, t.issue_id, coalesce(t.data ->> 'discussion_id', 'alone ' || t.at)), 'UTF8')), 'hex'), 40),
             case when t.data ->> 'type' is not null then 'DiscussionNote' end,
             (t.data ->> 'note') || case when t.author_id is null and not coalesce((t.data ->> 'system')::boolean, false) then
               E'\n\n*By ' || coalesce(nullif(t.name, ''), 'an unknown user') || ' on ' ||
               to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ' (imported)*' else '' end,
             coalesce(t.author_id, ${ctx.caller.id}::bigint), coalesce((t.data ->> 'system')::boolean, false),
             case when (t.data ->> 'system')::boolean then left(t.data -> 'system_note_metadata' ->> 'action', 255) end,
             coalesce((t.data ->> 'internal')::boolean, false), (t.data ->> 'resolved_at')::timestamptz,
             ${userOf(restoring, sql`(t.data ->> 'resolved_by_id')::bigint`)}, (t.data ->> 'last_edited_at')::timestamptz,
             t.created_at, coalesce((t.data ->> 'updated_at')::timestamptz, t.created_at)
        from told t order by t.id
      returning id)
    insert into note_award_emojis (project_id, note_id, user_id, name, created_at, updated_at)
    select distinct on (x.id, x.user_id, x.name) ${project.id}::bigint, x.id, x.user_id, x.name, x.time, x.time
      from (select t.id, ${awarding} as user_id, a.data ->> 'name' as name,
                   coalesce((a.data ->> 'created_at')::timestamptz, t.created_at) as time
              from told t cross join jsonb_array_elements(coalesce(nullif(t.data -> 'award_emoji', 'null'), '[]')) a (data)) x
     where x.user_id is not null order by x.id, x.user_id, x.name`);
}
