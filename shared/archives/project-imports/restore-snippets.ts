import { sql } from '../../core/sql.js';
import { plainName } from '../archive-imports/contributor-name.js';
import { importedAuthor, rowsOfRelation, timeOf, userOf } from '../archive-imports/restoring.js';
import { elementsOf, elementTime } from './restoring-project.js';
import type { ProjectRestorer, RestoringProject } from './restoring-project.js';

/** The relation of snippets. */
export const SNIPPETS = 'snippets';

async function insertSnippets(restoring: RestoringProject): Promise<void> {
  const { ctx, project } = restoring;
  await ctx.query(sql`
    update archive_import_rows r set made_id = nextval(pg_get_serial_sequence('snippets', 'id'))
     where ${rowsOfRelation(restoring, SNIPPETS)}`);
  await ctx.query(sql`
    insert into snippets (id, project_id, author_id, title, description, visibility, created_at, updated_at)
    select r.made_id, ${project.id}::bigint, ${importedAuthor(restoring, sql`(r.data ->> 'author_id')::bigint`)},
           r.data ->> 'title', r.data ->> 'description',
           case (r.data ->> 'visibility_level')::integer when 20 then 'public' when 10 then 'internal' else 'private' end,
           ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
      from archive_import_rows r where ${rowsOfRelation(restoring, SNIPPETS)} order by r.line`);
}

async function restoreAwards(restoring: RestoringProject): Promise<void> {
  const { ctx, project } = restoring;
  const user = userOf(restoring, sql`(e.data ->> 'user_id')::bigint`);
  await ctx.query(sql`
    insert into snippet_award_emojis (project_id, snippet_id, user_id, name, created_at, updated_at)
    select distinct on (x.made_id, x.user_id, x.name) ${project.id}::bigint, x.made_id, x.user_id, x.name, x.time, x.time
      from (select r.made_id, ${user} as user_id, e.data ->> 'name' as name, ${elementTime(restoring)} as time
              from ${elementsOf(restoring, SNIPPETS, 'award_emoji')}) x
     where x.user_id is not null order by x.made_id, x.user_id, x.name`);
}

/**
 * Comments on snippets, in their threads, with their emoji. Whose author is nobody here is the importer's, and says by
 * whom and when it was written (group-export-import.md section 4.12).
 */
async function restoreNotes(restoring: RestoringProject): Promise<void> {
  const { ctx, importId, project } = restoring;
  const author = userOf(restoring, sql`(e.data ->> 'author_id')::bigint`);
  const awarding = userOf(restoring, sql`(a.data ->> 'user_id')::bigint`);
  await ctx.query(sql`
    with found as (
      select r.made_id as snippet_id, r.line, e.at, e.data, ${author} as author_id, ${elementTime(restoring)} as created_at,
             ${plainName(sql`e.data -> 'author' ->> 'name'`)} as name
        from ${elementsOf(restoring, SNIPPETS, 'notes')}),
    told as materialized (
      select nextval(pg_get_serial_sequence('notes', 'id')) as id, f.*
        from (select * from found order by line, created_at, at) f),
    made as (
      insert into notes (id, project_id, snippet_id, discussion_id, type, note, author_id, system, action, internal,
                         last_edited_at, created_at, updated_at)
      select t.id, ${project.id}::bigint, t.snippet_id,
             left(encode(sha256(convert_to(concat_ws(' ', ${importId}::bigint, t.snippet_id, coalesce(t.data ->> 'discussion_id', 'alone ' || t.at)), 'UTF8')), 'hex'), 40),
             case when t.data ->> 'type' is not null then 'DiscussionNote' end,
             (t.data ->> 'note') || case when t.author_id is null and not coalesce((t.data ->> 'system')::boolean, false) then
               E'\n\n*By ' || coalesce(nullif(t.name, ''), 'an unknown user') || ' on ' ||
               to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ' (imported)*' else '' end,
             coalesce(t.author_id, ${ctx.caller.id}::bigint), coalesce((t.data ->> 'system')::boolean, false),
             case when (t.data ->> 'system')::boolean then left(t.data -> 'system_note_metadata' ->> 'action', 255) end,
             coalesce((t.data ->> 'internal')::boolean, false), (t.data ->> 'last_edited_at')::timestamptz,
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

/** Snippets with what belongs to them, but for their files, which come from bundles afterwards. */
export const snippetRestorer: ProjectRestorer = {
  relation: SNIPPETS,
  async restore(restoring) {
    await insertSnippets(restoring);
    await restoreAwards(restoring);
    await restoreNotes(restoring);
  },
};
