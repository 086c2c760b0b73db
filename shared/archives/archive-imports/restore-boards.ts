import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { makeNamedLabels } from './named-labels.js';
import type { LabelsPlace } from './named-labels.js';
import { rowsOfRelation, timeOf } from './restoring.js';
import type { RowsOf } from './restoring.js';

/** The group or project whose boards are restored, and what boards name there. */
export interface BoardsPlace extends LabelsPlace {
  /** Table that the group or project is a row of. */
  readonly table: Sql;
  /** The label that the archive names by its id or title. */
  label(id: Sql, title: Sql): Sql;
  /** The milestone that the archive names by its id, or as `{iid, title, group_id, project_id}`. */
  milestone(id: Sql, named: Sql): Sql;
  /** Whoever here is the user of the archive with this id, if they are a member there or above. */
  member(id: Sql): Sql;
}

const BOARDS = 'boards';

const listsIn = (rows: Sql): Sql => sql`
  archive_import_rows r, jsonb_array_elements(coalesce(nullif(r.data -> 'lists', 'null'), '[]')) with ordinality as l (data, at)
  where ${rows}`;

/** Lists of the boards with what they are of here. */
const listsOf = (place: BoardsPlace, rows: Sql): Sql => sql`
  (select r.made_id as board_id, r.line, l.at, l.data, l.data ->> 'list_type' as list_type,
          case when l.data ->> 'list_type' = 'label' then
            ${place.label(sql`(l.data ->> 'label_id')::bigint`, sql`l.data -> 'label' ->> 'title'`)} end as label_id,
          case when l.data ->> 'list_type' = 'milestone' then
            ${place.milestone(sql`null::bigint`, sql`l.data -> 'milestone'`)} end as milestone_id,
          case when l.data ->> 'list_type' = 'assignee' then
            ${place.member(sql`coalesce(l.data -> 'assignee' ->> 'id', l.data ->> 'user_id')::bigint`)} end as assignee_id
     from ${listsIn(rows)})`;

/** Lists of labels, milestones and members that there are. Two of one thing become one. */
async function restoreLists(restoring: RowsOf, place: BoardsPlace, rows: Sql): Promise<void> {
  await restoring.ctx.query(sql`
    insert into board_lists (board_id, list_type, label_id, milestone_id, assignee_id, position, created_at, updated_at)
    select r.board_id, r.list_type, r.label_id, r.milestone_id, r.assignee_id,
           row_number() over (partition by r.board_id order by (r.data ->> 'position')::numeric, r.at) - 1,
           ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
      from ${listsOf(place, rows)} r
     where num_nonnulls(r.label_id, r.milestone_id, r.assignee_id) = 1 order by r.line, r.at
    on conflict do nothing`);
}

const labelsIn = (rows: Sql): Sql => sql`
  archive_import_rows r, jsonb_array_elements(coalesce(nullif(r.data -> 'labels', 'null'), '[]')) as g (label)
  where ${rows}`;

/** Labels that boards and their lists name. */
const labelsNamed = (rows: Sql): Sql => sql`
  select r.line, l.data -> 'label' as label from ${listsIn(rows)} and l.data ->> 'list_type' = 'label'
   union all select r.line, g.label from ${labelsIn(rows)}`;

async function restoreLabels({ ctx }: RowsOf, place: BoardsPlace, rows: Sql): Promise<void> {
  await ctx.query(sql`
    insert into board_labels (board_id, label_id)
    select x.made_id, x.label_id
      from (select r.made_id, ${place.label(sql`null::bigint`, sql`g.label ->> 'title'`)} as label_id from ${labelsIn(rows)}) x
     where x.label_id is not null
    on conflict do nothing`);
}

/** Writes down what a board or one of its lists is of that is not here. */
async function nameMissing({ ctx }: RowsOf, place: BoardsPlace, rows: Sql): Promise<void> {
  await ctx.query(sql`
    update archive_import_rows r set problem = 'is made without ' || x.missing
      from (
        select m.line, string_agg(m.what, ', ' order by m.at) as missing from (
          select l.line, l.at, concat('its list of the ', l.list_type, ' ',
                   coalesce(l.data -> l.list_type ->> 'title', l.data -> l.list_type ->> 'username')) as what
            from ${listsOf(place, rows)} l
           where l.list_type in ('label', 'milestone', 'assignee')
             and num_nonnulls(l.label_id, l.milestone_id, l.assignee_id) = 0
          union all
          select r.line, 0, concat('its milestone ', r.data -> 'milestone' ->> 'title')
            from archive_import_rows r join boards b on b.id = r.made_id
           where ${rows} and b.milestone_id is null
             and (r.data -> 'milestone' ->> 'title' is not null or r.data ->> 'milestone_id' is not null)
          union all
          select r.line, 0, concat('its assignee ', r.data -> 'board_assignee' -> 'assignee' ->> 'username')
            from archive_import_rows r join boards b on b.id = r.made_id
           where ${rows} and b.assignee_id is null and jsonb_typeof(r.data -> 'board_assignee') = 'object') m
         group by m.line) x
     where ${rows} and r.line = x.line`);
}

/** Boards of an archive with their lists. The board that the place was made with gives way to them. */
export async function restoreBoards(restoring: RowsOf, place: BoardsPlace): Promise<void> {
  const { ctx } = restoring;
  const rows = rowsOfRelation(restoring, BOARDS);
  const { column, id, table } = place;
  await ctx.query(sql`
    delete from boards b using ${table} n
     where n.id = ${id} and b.${column} = n.id and b.created_at = n.created_at and b.updated_at = n.created_at
       and not exists (select 1 from board_lists l where l.board_id = b.id)
       and exists (select 1 from archive_import_rows r where ${rows})`);
  await ctx.query(sql`
    update archive_import_rows r set made_id = nextval(pg_get_serial_sequence('boards', 'id')) where ${rows}`);
  const assignee = sql`
    coalesce(r.data -> 'board_assignee' -> 'assignee' ->> 'id', r.data -> 'board_assignee' ->> 'assignee_id')::bigint`;
  await ctx.query(sql`
    insert into boards (id, ${column}, name, hide_backlog_list, hide_closed_list, milestone_id, assignee_id, weight, created_at, updated_at)
    select r.made_id, ${id}::bigint, r.data ->> 'name', coalesce((r.data ->> 'hide_backlog_list')::boolean, false),
           coalesce((r.data ->> 'hide_closed_list')::boolean, false),
           ${place.milestone(sql`(r.data ->> 'milestone_id')::bigint`, sql`r.data -> 'milestone'`)},
           ${place.member(assignee)},
           (r.data ->> 'weight')::integer, ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
      from archive_import_rows r where ${rows} order by r.line`);
  await makeNamedLabels(place, labelsNamed(rows));
  await restoreLists(restoring, place, rows);
  await restoreLabels(restoring, place, rows);
  await nameMissing(restoring, place, rows);
}
