import { sql } from '../../core/sql.js';
import type { Context } from '../../core/context.js';
import { toSql } from '../../core/database/fragments.js';
import { keepNumbers, lockNumbers, numbersFor } from '../archive-imports/numbers.js';
import { makeNamedLabels, nearestOf } from '../archive-imports/restore-labels.js';
import {
  attribute,
  elementsOf,
  importedAuthor,
  r,
  reserveIds,
  copiedRows,
  rowsOfRelation,
  tables,
  timeOf,
  userOf,
  plainName,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringGroup } from '../archive-imports/restoring.js';
import { tellMissing } from '../archive-imports/failures.js';

/**
 * Comments on epics, in their threads, with the emoji that users here gave. Whose author is nobody here is the importer's, and says by whom and when it was
 * written (group-export-import.md section 4.12). The name is another server's: signs that mean something in Markdown
 * are left out of it.
 */
async function restoreEpicNotes(restoring: RestoringGroup): Promise<void> {
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

const RELATION = 'epics';
/** Levels of a tree of epics, the top one counted. */
const LEVELS = 7;

async function insertEpics(restoring: RestoringGroup): Promise<void> {
  const { ctx, container: group } = restoring;
  const last = await lockNumbers(restoring, 'epic');
  await reserveIds(restoring, RELATION, 'epics');
  const rows = tables(restoring)
    .selectFrom('archive_import_rows as r')
    .select(['r.line', r.cast<number | null>(attribute('iid'), 'integer').as('iid')])
    .where(copiedRows(restoring, RELATION));
  await ctx.query(sql`
    insert into epics (id, namespace_id, iid, title, description, state, confidential, color, author_id, closed_by_id,
                       start_date_is_fixed, start_date_fixed, due_date_is_fixed, due_date_fixed, relative_position, closed_at,
                       last_edited_at, created_at, updated_at)
    select r.made_id, ${group.id}::bigint, n.number, r.data ->> 'title', r.data ->> 'description', r.data ->> 'state',
           coalesce((r.data ->> 'confidential')::boolean, false), r.data ->> 'color',
           ${importedAuthor(restoring, sql`(r.data ->> 'author_id')::bigint`)},
           case when r.data ->> 'state' = 'closed' then ${userOf(restoring, sql`(r.data ->> 'closed_by_id')::bigint`)} end,
           coalesce((r.data ->> 'start_date_is_fixed')::boolean, false), (r.data ->> 'start_date_fixed')::date,
           coalesce((r.data ->> 'due_date_is_fixed')::boolean, false), (r.data ->> 'due_date_fixed')::date,
           (r.data ->> 'relative_position')::bigint,
           case when r.data ->> 'state' = 'closed' then coalesce((r.data ->> 'closed_at')::timestamptz, ${timeOf(restoring, 'updated_at')}) end,
           (r.data ->> 'last_edited_at')::timestamptz, ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
      from archive_import_rows r join (${toSql(numbersFor(restoring, rows, 'epics', last))}) n on n.line = r.line
     where ${rowsOfRelation(restoring, RELATION)} order by r.line`);
  await keepNumbers(restoring, 'epic', 'epics');
}

/** Labels and awards, and what was told of changes of state and labels. */
async function restoreAround(restoring: RestoringGroup): Promise<void> {
  const { ctx, container: group } = restoring;
  const label = nearestOf(restoring, 'labels', sql`e.data -> 'label' ->> 'title'`);
  const user = userOf(restoring, sql`(e.data ->> 'user_id')::bigint`);
  const time = sql`coalesce((e.data ->> 'created_at')::timestamptz, ${timeOf(restoring, 'created_at')})`;
  await ctx.query(sql`
    insert into epic_labels (namespace_id, epic_id, label_id)
    select ${group.id}::bigint, x.made_id, x.label_id
      from (select r.made_id, ${label} as label_id
              from ${elementsOf(restoring, RELATION, 'label_links')}) x
     where x.label_id is not null
    on conflict do nothing`);
  await ctx.query(sql`
    insert into epic_award_emojis (namespace_id, epic_id, user_id, name, created_at, updated_at)
    select ${group.id}::bigint, x.made_id, x.user_id, x.name, min(x.time), min(x.time)
      from (select r.made_id, ${user} as user_id, e.data ->> 'name' as name, ${time} as time, e.at
              from ${elementsOf(restoring, RELATION, 'award_emoji')} and e.data ->> 'name' ~ '^[a-z0-9_+-]{1,64}$') x
     where x.user_id is not null group by x.made_id, x.user_id, x.name order by x.made_id, min(x.at)`);
  await ctx.query(sql`
    insert into epic_state_events (namespace_id, epic_id, user_id, state, created_at)
    select ${group.id}::bigint, r.made_id, ${user}, e.data ->> 'state', ${time}
      from ${elementsOf(restoring, RELATION, 'resource_state_events')} and e.data ->> 'state' in ('closed', 'reopened')
     order by r.line, e.at`);
  await ctx.query(sql`
    insert into epic_label_events (namespace_id, epic_id, user_id, label_id, action, created_at)
    select ${group.id}::bigint, r.made_id, ${user},
           ${label}, e.data ->> 'action', ${time}
      from ${elementsOf(restoring, RELATION, 'resource_label_events')} and e.data ->> 'action' in ('add', 'remove')
     order by r.line, e.at`);
}

/** Epics of a group with what belongs to them, but for their parents, which may be in groups that come later. */
export const epicRestorer: Restorer<RestoringGroup> = {
  relation: RELATION,
  plan: 'premium',
  async restore(restoring) {
    await insertEpics(restoring);
    await makeNamedLabels(
      restoring,
      sql`select r.line, e.data -> 'label' as label from ${elementsOf(restoring, RELATION, 'label_links')}`,
    );
    await restoreAround(restoring);
    await restoreEpicNotes(restoring);
  },
};

/**
 * Puts epics below each other again, once all are there. An epic of a circle, of an eighth level, or that is open to
 * more people than the one above it, stays by itself, and so does one whose parent is not in the archive: each is told.
 * Safe to repeat.
 */
export async function linkEpics(ctx: Context, importId: number): Promise<void> {
  await ctx.query(sql`
    with recursive sources as materialized (
      select distinct on (r.source_id) r.source_id, r.made_id, (r.data ->> 'parent_id')::bigint as parent_id,
             coalesce((r.data ->> 'confidential')::boolean, false) as confidential
        from archive_import_rows r
       where r.import_id = ${importId} and r.relation = 'epics' and r.made_id is not null and r.source_id is not null
       order by r.source_id, r.source_group, r.line),
    tree (source_id, made_id, confidential, parent_made_id, level) as (
      select s.source_id, s.made_id, s.confidential, null::bigint, 1 from sources s
       where s.parent_id is null or not exists (select 1 from sources p where p.source_id = s.parent_id)
      union all
      select s.source_id, s.made_id, s.confidential, t.made_id, t.level + 1
        from tree t join sources s on s.parent_id = t.source_id
       where t.level < ${LEVELS} and (s.confidential or not t.confidential))
    update epics e set parent_id = t.parent_made_id
      from tree t where e.id = t.made_id and t.parent_made_id is not null and e.parent_id is null`);
  await tellMissing(ctx, {
    importId,
    rows: sql`archive_import_rows r join epics e on e.id = r.made_id
               where r.relation = 'epics' and e.parent_id is null and r.data ->> 'parent_id' is not null`,
    file: sql`'tree/groups/' || r.source_group || '/epics.ndjson'`,
    reason: 'is made without the epic above it, which is not in the archive, or may not have it',
  });
}
