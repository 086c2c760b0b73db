import { empty, join, sql, raw } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { elementsOf, elementTime, userOf, plainName } from '../archive-imports/restoring.js';
import type { RestoringProject } from '../archive-imports/restoring.js';

/** What people are told that imported records come from. */
export const IMPORTED_FROM = 'gitlab_project';

/** Of what comments are: the relation of the archive, and what columns that refer to it begin with. */
interface Noteables {
  readonly relation: string;
  readonly name: 'issue' | 'merge_request' | 'snippet';
}

/** The commits of a position are all among some. */
const standsOn = (name: string, known: readonly string[]): Fragment => sql`
  coalesce(${join(
    ['base_sha', 'start_sha', 'head_sha'].map((sha) => sql`t.data -> ${name} ->> ${sha} = any(${[...known]}::text[])`),
    ' and ',
  )}, false)`;

/** What is told of notes on a diff, as columns and values; those whose commits are not here stand in no diff. */
function diffColumns(
  { name }: Noteables,
  known: readonly string[],
): { columns: Fragment; values: Fragment; onDiff: Fragment } {
  if (name !== 'merge_request') return { columns: empty, values: empty, onDiff: sql`false` };
  const onDiff = sql`(t.data ->> 'type' = 'DiffNote' and ${standsOn('position', known)})`;
  return {
    onDiff,
    columns: sql`position, original_position, outdated, diff_commit_sha,`,
    values: sql`
      case when ${onDiff} then t.data -> 'position' end,
      case when ${onDiff} then
        case when ${standsOn('original_position', known)} then t.data -> 'original_position' else t.data -> 'position' end end,
      ${onDiff} and coalesce((t.data ->> 'outdated')::boolean, false),
      case when ${onDiff} and t.data ->> 'commit_id' = any(${[...known]}::text[]) then t.data ->> 'commit_id' end,`,
  };
}

/**
 * Comments, in their threads, with their emoji and suggestions. Whose author is nobody here is the importer's, and says by
 * whom and when it was written (group-export-import.md section 4.12). The name is another server's: signs that mean
 * something in Markdown are left out of it.
 * @param known ids of commits that the repository has, of those that notes on diffs name
 */
export async function restoreNotes(
  restoring: RestoringProject,
  kind: Noteables,
  known: readonly string[] = [],
): Promise<void> {
  const { columns, values, onDiff } = diffColumns(kind, known);
  const {
    ctx,
    importId,
    container: { record: project },
  } = restoring;
  const author = userOf(restoring, sql`(e.data ->> 'author_id')::bigint`);
  const awarding = userOf(restoring, sql`(a.data ->> 'user_id')::bigint`);
  await ctx.query(sql`
    with found as (
      select r.made_id as owner_id, r.line, e.at, e.data, ${author} as author_id, ${elementTime(restoring)} as created_at,
             ${plainName(sql`e.data -> 'author' ->> 'name'`)} as name
        from ${elementsOf(restoring, kind.relation, 'notes')}),
    told as materialized (
      select nextval(pg_get_serial_sequence('notes', 'id')) as id, f.*
        from (select * from found order by line, created_at, at) f),
    made as (
      insert into notes (id, project_id, ${raw(`${kind.name}_id`)}, discussion_id, type, ${columns} imported_from, note, author_id, system, action, internal,
                         resolved_at, resolved_by_id, last_edited_at, created_at, updated_at)
      select t.id, ${project.id}::bigint, t.owner_id,
             left(encode(sha256(convert_to(concat_ws(' ', ${importId}::bigint, t.owner_id, coalesce(t.data ->> 'discussion_id', 'alone ' || t.at)), 'UTF8')), 'hex'), 40),
             case when ${onDiff} then 'DiffNote' when t.data ->> 'type' is not null then 'DiscussionNote' end,
             ${values} ${IMPORTED_FROM},
             (t.data ->> 'note') || case when t.author_id is null and not coalesce((t.data ->> 'system')::boolean, false) then
               E'\n\n*By ' || coalesce(nullif(t.name, ''), 'an unknown user') || ' on ' ||
               to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || ' (imported)*' else '' end,
             coalesce(t.author_id, ${ctx.caller.id}::bigint), coalesce((t.data ->> 'system')::boolean, false),
             case when (t.data ->> 'system')::boolean then left(t.data -> 'system_note_metadata' ->> 'action', 255) end,
             coalesce((t.data ->> 'internal')::boolean, false), (t.data ->> 'resolved_at')::timestamptz,
             ${userOf(restoring, sql`(t.data ->> 'resolved_by_id')::bigint`)}, (t.data ->> 'last_edited_at')::timestamptz,
             t.created_at, coalesce((t.data ->> 'updated_at')::timestamptz, t.created_at)
        from told t order by t.id
      returning id),
    suggested as (
      insert into suggestions (project_id, note_id, relative_order, lines_above, lines_below, from_content, to_content,
                               outdated, applied_sha)
      select ${project.id}::bigint, t.id, (g.data ->> 'relative_order')::integer, (g.data ->> 'lines_above')::integer,
             (g.data ->> 'lines_below')::integer, g.data ->> 'from_content', g.data ->> 'to_content',
             coalesce((g.data ->> 'outdated')::boolean, false), g.data ->> 'applied_sha'
        from told t cross join jsonb_array_elements(coalesce(nullif(t.data -> 'suggestions', 'null'), '[]')) g (data)
       where ${onDiff}
      on conflict do nothing)
    insert into note_award_emojis (project_id, note_id, user_id, name, created_at, updated_at)
    select distinct on (x.id, x.user_id, x.name) ${project.id}::bigint, x.id, x.user_id, x.name, x.time, x.time
      from (select t.id, ${awarding} as user_id, a.data ->> 'name' as name,
                   coalesce((a.data ->> 'created_at')::timestamptz, t.created_at) as time
              from told t cross join jsonb_array_elements(coalesce(nullif(t.data -> 'award_emoji', 'null'), '[]')) a (data)) x
     where x.user_id is not null order by x.id, x.user_id, x.name`);
}
