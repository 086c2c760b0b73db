import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { rowsOfRelation, timeOf, userOf } from '../archive-imports/restoring.js';
import {
  inForceFor,
  keepProjectNumbers,
  lockProjectNumbers,
  nearestOf,
  projectNumbersFor,
} from './restoring-project.js';
import type { ProjectRestorer, RestoringProject } from './restoring-project.js';

/** A label of a title that is in force already is taken in place of the archive's (group-export-import.md section 4.10). */
export const projectLabelRestorer: ProjectRestorer = {
  relation: 'labels',
  async restore(restoring) {
    const { ctx, project } = restoring;
    await ctx.query(sql`
      insert into labels (project_id, title, color, description, archived, created_at, updated_at)
      select ${project.id}::bigint, r.data ->> 'title', r.data ->> 'color', r.data ->> 'description',
             coalesce((r.data ->> 'archived')::boolean, false),
             ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
        from (select distinct on (f.data ->> 'title') f.line, f.data from archive_import_rows f
               where ${rowsOfRelation(restoring, 'labels', sql`f`)}
                 and not exists (select 1 from labels l where ${inForceFor(restoring, sql`l`)} and l.title = f.data ->> 'title')
               order by f.data ->> 'title', f.line) r
       order by r.line
      on conflict do nothing`);
    await ctx.query(sql`
      update archive_import_rows r set made_id = ${nearestOf(restoring, sql`labels`, sql`r.data ->> 'title'`)}
       where ${rowsOfRelation(restoring, 'labels')}`);
    await ctx.query(sql`
      insert into label_priorities (project_id, label_id, priority)
      select distinct on (r.made_id) ${project.id}::bigint, r.made_id, (e.data ->> 'priority')::integer
        from archive_import_rows r, jsonb_array_elements(coalesce(nullif(r.data -> 'priorities', 'null'), '[]')) e (data)
       where ${rowsOfRelation(restoring, 'labels')} and r.made_id is not null
         and (e.data ->> 'priority')::numeric between 0 and 2147483647
       order by r.made_id, r.line
      on conflict do nothing`);
  },
};

/** The same for milestones, which keep their numbers where those are free. */
export const projectMilestoneRestorer: ProjectRestorer = {
  relation: 'milestones',
  async restore(restoring) {
    const { ctx, project } = restoring;
    const last = await lockProjectNumbers(restoring, 'milestone');
    const fresh = sql`
      (select distinct on (f.data ->> 'title') f.line, (f.data ->> 'iid')::integer as iid, f.data
         from archive_import_rows f
        where ${rowsOfRelation(restoring, 'milestones', sql`f`)}
          and not exists (select 1 from milestones m where ${inForceFor(restoring, sql`m`)} and m.title = f.data ->> 'title')
        order by f.data ->> 'title', f.line)`;
    await ctx.query(sql`
      insert into milestones (project_id, iid, title, description, state, start_date, due_date, created_at, updated_at)
      select ${project.id}::bigint, n.number, r.data ->> 'title', r.data ->> 'description', r.data ->> 'state',
             (r.data ->> 'start_date')::date, (r.data ->> 'due_date')::date,
             ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
        from ${fresh} r join ${projectNumbersFor(fresh, sql`milestones`, project.id, last)} n on n.line = r.line
       order by r.line`);
    await keepProjectNumbers(restoring, 'milestone', sql`milestones`);
    await ctx.query(sql`
      update archive_import_rows r set made_id = ${nearestOf(restoring, sql`milestones`, sql`r.data ->> 'title'`)}
       where ${rowsOfRelation(restoring, 'milestones')}`);
  },
};

export const projectBadgeRestorer: ProjectRestorer = {
  relation: 'project_badges',
  async restore(restoring) {
    const { ctx, project } = restoring;
    await ctx.query(sql`
      update archive_import_rows r set made_id = nextval(pg_get_serial_sequence('badges', 'id'))
       where ${rowsOfRelation(restoring, 'project_badges')}`);
    await ctx.query(sql`
      insert into badges (id, project_id, name, link_url, image_url, created_at, updated_at)
      select r.made_id, ${project.id}::bigint, r.data ->> 'name', r.data ->> 'link_url', r.data ->> 'image_url',
             ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
        from archive_import_rows r where ${rowsOfRelation(restoring, 'project_badges')} order by r.line`);
  },
};

/** Whoever here is the user that `person` tells of, if they are a member of the project or of a group above it. */
function memberOf(restoring: RestoringProject, person: Sql): Sql {
  const { project } = restoring;
  const user = userOf(restoring, sql`(${person} ->> 'id')::bigint`);
  return sql`
    (select m.user_id
       from (select user_id from project_members where project_id = ${project.id}
             union select user_id from group_members
                    where namespace_id = any(${[...project.namespace.traversal_ids]}::bigint[])) m
      where m.user_id = ${user} limit 1)`;
}

/** Lists of boards: those of labels, milestones and members that there are. Two of one thing become one. */
async function restoreLists(restoring: RestoringProject): Promise<void> {
  const titled = (table: Sql, kind: string) => sql`
    case when l.data ->> 'list_type' = ${kind} then ${nearestOf(restoring, table, sql`l.data -> ${kind} ->> 'title'`)} end`;
  await restoring.ctx.query(sql`
    with lists as (
      select r.made_id as board_id, r.line, l.at, l.data, l.data ->> 'list_type' as list_type,
             ${titled(sql`labels`, 'label')} as label_id, ${titled(sql`milestones`, 'milestone')} as milestone_id,
             case when l.data ->> 'list_type' = 'assignee' then ${memberOf(restoring, sql`l.data -> 'assignee'`)} end as assignee_id
        from archive_import_rows r, jsonb_array_elements(coalesce(nullif(r.data -> 'lists', 'null'), '[]'))
             with ordinality as l (data, at)
       where ${rowsOfRelation(restoring, 'boards')})
    insert into board_lists (board_id, list_type, label_id, milestone_id, assignee_id, position, created_at, updated_at)
    select r.board_id, r.list_type, r.label_id, r.milestone_id, r.assignee_id,
           row_number() over (partition by r.board_id order by (r.data ->> 'position')::numeric, r.at) - 1,
           ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
      from lists r where num_nonnulls(r.label_id, r.milestone_id, r.assignee_id) = 1 order by r.line, r.at
    on conflict do nothing`);
}

export const projectBoardRestorer: ProjectRestorer = {
  relation: 'boards',
  async restore(restoring) {
    const { ctx, project } = restoring;
    // The board that the project was made with gives way to those of the archive.
    await ctx.query(sql`
      delete from boards b using projects p
       where p.id = ${project.id} and b.project_id = p.id and b.created_at = p.created_at and b.updated_at = p.created_at
         and not exists (select 1 from board_lists l where l.board_id = b.id)
         and exists (select 1 from archive_import_rows r where ${rowsOfRelation(restoring, 'boards')})`);
    await ctx.query(sql`
      update archive_import_rows r set made_id = nextval(pg_get_serial_sequence('boards', 'id'))
       where ${rowsOfRelation(restoring, 'boards')}`);
    await ctx.query(sql`
      insert into boards (id, project_id, name, hide_backlog_list, hide_closed_list, milestone_id, assignee_id, weight, created_at, updated_at)
      select r.made_id, ${project.id}::bigint, r.data ->> 'name', coalesce((r.data ->> 'hide_backlog_list')::boolean, false),
             coalesce((r.data ->> 'hide_closed_list')::boolean, false),
             ${nearestOf(restoring, sql`milestones`, sql`r.data -> 'milestone' ->> 'title'`)},
             ${memberOf(restoring, sql`r.data -> 'board_assignee' -> 'assignee'`)},
             (r.data ->> 'weight')::integer, ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
        from archive_import_rows r where ${rowsOfRelation(restoring, 'boards')} order by r.line`);
    await restoreLists(restoring);
    await ctx.query(sql`
      insert into board_labels (board_id, label_id)
      select x.made_id, x.label_id
        from (select r.made_id, ${nearestOf(restoring, sql`labels`, sql`g ->> 'title'`)} as label_id
                from archive_import_rows r, jsonb_array_elements(coalesce(nullif(r.data -> 'labels', 'null'), '[]')) g
               where ${rowsOfRelation(restoring, 'boards')}) x
       where x.label_id is not null
      on conflict do nothing`);
  },
};
