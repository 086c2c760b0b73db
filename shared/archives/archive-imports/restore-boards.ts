import type { ContainerKind } from '../../core/container.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { mayReadIssuables } from '../../planning/issuables/assignable-users.js';
import { namespaceAccess, today } from '../../tenancy/access/access.js';
import { projectTables } from '../../tenancy/projects/project.finder.js';
import { makeNamedLabels, nearestOf } from './restore-labels.js';
import { milestoneNamed } from './restore-milestones.js';
import { rowsOfRelation, timeOf, userOf } from './restoring.js';
import type { Restorer, Restoring, RestoringGroup, RestoringProject } from './restoring.js';

/** What the boards of a group or project name there. */
interface BoardNames {
  /** The label that the archive names by its id or title. */
  label(id: Fragment, title: Fragment): Fragment;
  /** The milestone that the archive names by its id, or as `{iid, title, group_id, project_id}`. */
  milestone(id: Fragment, named: Fragment): Fragment;
  /** Whoever here is the user of the archive with this id, if they may be chosen in boards. */
  member(id: Fragment): Fragment;
}

const groupsOf = ({ container }: Restoring): Fragment => sql`${[...container.namespaceIds]}::bigint[]`;

/** What was made of a label or milestone of the archive, by the id that it had, if it is in force in the group. */
const madeOf = (restoring: RestoringGroup, relation: 'labels' | 'milestones', id: Fragment): Fragment => sql`
  (select s.made_id from archive_import_rows s join ${raw(relation)} x on x.id = s.made_id
    where s.import_id = ${restoring.importId} and s.relation = ${relation} and s.source_id = ${id}
      and x.namespace_id = any(${groupsOf(restoring)}) order by s.source_group limit 1)`;

/**
 * The milestone here that the archive of a group names. Groups may have one of a title at each level: so it is the one of
 * the group that the archive tells of; of a group that is not in the archive it is one of a group above the import.
 * @param named `{iid, title, group_id}`
 */
function groupMilestoneNamed(restoring: RestoringGroup, id: Fragment, named: Fragment): Fragment {
  const { importId, container } = restoring;
  const groups = groupsOf(restoring);
  return sql`
    coalesce(
      ${madeOf(restoring, 'milestones', id)},
      (select s.made_id from archive_import_rows s join milestones x on x.id = s.made_id
        where s.import_id = ${importId} and s.relation = 'milestones' and s.source_group = (${named} ->> 'group_id')::bigint
          and s.data ->> 'title' = ${named} ->> 'title' and x.namespace_id = any(${groups}) limit 1),
      (select x.id from milestones x
        where x.namespace_id = any(${groups}) and x.title = ${named} ->> 'title'
          and (${named} ->> 'group_id' is null
               or (x.namespace_id <> ${container.id} and not exists (
                     select 1 from archive_import_groups g
                      where g.import_id = ${importId}
                        and (g.group_id = x.namespace_id or g.source_id = (${named} ->> 'group_id')::bigint))))
        order by (x.iid = (${named} ->> 'iid')::numeric) desc nulls last,
                 array_position(${groups}, x.namespace_id) desc limit 1))`;
}

const groupNames = (restoring: RestoringGroup): BoardNames => ({
  label: (id, title) => sql`coalesce(${madeOf(restoring, 'labels', id)}, ${nearestOf(restoring, 'labels', title)})`,
  milestone: (id, named) => groupMilestoneNamed(restoring, id, named),
  // Members, also of groups above.
  member: (id) => sql`
    (select u.id from users u cross join namespaces n
      where u.id = ${userOf(restoring, id)} and n.id = ${restoring.container.id} and u.state in ('active', 'deactivated')
        and ${namespaceAccess(sql`u.id`, today(restoring.ctx))} >= 10)`,
});

const projectNames = (restoring: RestoringProject): BoardNames => ({
  label: (_id, title) => nearestOf(restoring, 'labels', title),
  milestone: (_id, named) => milestoneNamed(restoring, named),
  // Whoever reads the issues.
  member: (id) => sql`
    (select u.id from users u
      where u.id = ${userOf(restoring, id)} and u.state in ('active', 'deactivated')
        and exists (select 1 from ${projectTables} where p.id = ${restoring.container.id}
                      and ${mayReadIssuables(restoring.ctx, restoring.container.record.issues_access_level)}))`,
});

const namesOf = (restoring: Restoring): BoardNames =>
  restoring.container.kind === 'group'
    ? groupNames(restoring as RestoringGroup)
    : projectNames(restoring as RestoringProject);

/** The table whose row a group or project is, and the column by which boards name it. */
const PLACES: Record<ContainerKind, { table: Fragment; column: Fragment }> = {
  group: { table: sql`namespaces`, column: sql`namespace_id` },
  project: { table: sql`projects`, column: sql`project_id` },
};

const BOARDS = 'boards';

const listsIn = (rows: Fragment): Fragment => sql`
  archive_import_rows r, jsonb_array_elements(coalesce(nullif(r.data -> 'lists', 'null'), '[]')) with ordinality as l (data, at)
  where ${rows}`;

/** Lists of the boards with what they are of here. */
const listsOf = (names: BoardNames, rows: Fragment): Fragment => sql`
  (select r.made_id as board_id, r.line, l.at, l.data, l.data ->> 'list_type' as list_type,
          case when l.data ->> 'list_type' = 'label' then
            ${names.label(sql`(l.data ->> 'label_id')::bigint`, sql`l.data -> 'label' ->> 'title'`)} end as label_id,
          case when l.data ->> 'list_type' = 'milestone' then
            ${names.milestone(sql`null::bigint`, sql`l.data -> 'milestone'`)} end as milestone_id,
          case when l.data ->> 'list_type' = 'assignee' then
            ${names.member(sql`coalesce(l.data -> 'assignee' ->> 'id', l.data ->> 'user_id')::bigint`)} end as assignee_id
     from ${listsIn(rows)})`;

/** Lists of labels, milestones and members that there are. Two of one thing become one. */
async function restoreLists(restoring: Restoring, names: BoardNames, rows: Fragment): Promise<void> {
  await restoring.ctx.query(sql`
    insert into board_lists (board_id, list_type, label_id, milestone_id, assignee_id, position, created_at, updated_at)
    select r.board_id, r.list_type, r.label_id, r.milestone_id, r.assignee_id,
           row_number() over (partition by r.board_id order by (r.data ->> 'position')::numeric, r.at) - 1,
           ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
      from ${listsOf(names, rows)} r
     where num_nonnulls(r.label_id, r.milestone_id, r.assignee_id) = 1 order by r.line, r.at
    on conflict do nothing`);
}

const labelsIn = (rows: Fragment): Fragment => sql`
  archive_import_rows r, jsonb_array_elements(coalesce(nullif(r.data -> 'labels', 'null'), '[]')) as g (label)
  where ${rows}`;

/** Labels that boards and their lists name. */
const labelsNamed = (rows: Fragment): Fragment => sql`
  select r.line, l.data -> 'label' as label from ${listsIn(rows)} and l.data ->> 'list_type' = 'label'
   union all select r.line, g.label from ${labelsIn(rows)}`;

async function restoreLabels({ ctx }: Restoring, names: BoardNames, rows: Fragment): Promise<void> {
  await ctx.query(sql`
    insert into board_labels (board_id, label_id)
    select x.made_id, x.label_id
      from (select r.made_id, ${names.label(sql`null::bigint`, sql`g.label ->> 'title'`)} as label_id from ${labelsIn(rows)}) x
     where x.label_id is not null
    on conflict do nothing`);
}

/** Writes down what a board or one of its lists is of that is not here. */
async function nameMissing({ ctx }: Restoring, names: BoardNames, rows: Fragment): Promise<void> {
  await ctx.query(sql`
    update archive_import_rows r set problem = 'is made without ' || x.missing
      from (
        select m.line, string_agg(m.what, ', ' order by m.at) as missing from (
          select l.line, l.at, concat('its list of the ', l.list_type, ' ',
                   coalesce(l.data -> l.list_type ->> 'title', l.data -> l.list_type ->> 'username')) as what
            from ${listsOf(names, rows)} l
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

/** Boards of an archive with their lists. The board that the group or project was made with gives way to them. */
async function restoreBoards(restoring: Restoring): Promise<void> {
  const {
    ctx,
    container: { kind, id },
  } = restoring;
  const rows = rowsOfRelation(restoring, BOARDS);
  const names = namesOf(restoring);
  const { table, column } = PLACES[kind];
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
           ${names.milestone(sql`(r.data ->> 'milestone_id')::bigint`, sql`r.data -> 'milestone'`)},
           ${names.member(assignee)},
           (r.data ->> 'weight')::integer, ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
      from archive_import_rows r where ${rows} order by r.line`);
  await makeNamedLabels(restoring, labelsNamed(rows));
  await restoreLists(restoring, names, rows);
  await restoreLabels(restoring, names, rows);
  await nameMissing(restoring, names, rows);
}

export const boardRestorer: Restorer = { relation: BOARDS, restore: restoreBoards };
