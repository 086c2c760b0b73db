import { sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import { rowsOfRelation, timeOf, userOf } from '../archive-imports/restoring.js';
import { nameReused } from '../archive-imports/reused-values.js';
import { mayReadIssuables } from '../../planning/issuables/assignable-users.js';
import { projectTables } from '../../tenancy/projects/project.finder.js';
import { restoreBoards } from '../archive-imports/restore-boards.js';
import {
  inForceFor,
  keepProjectNumbers,
  projectLabelsPlace,
  lockProjectNumbers,
  milestoneNamed,
  nearestOf,
  projectNumbersFor,
} from './restoring-project.js';
import type { ProjectRestorer, RestoringProject } from './restoring-project.js';

/**
 * A label of a title that is in force already is not made: that one is used, and told with what differs
 * (group-export-import.md section 4.10).
 */
export const projectLabelRestorer: ProjectRestorer = {
  relation: 'labels',
  async restore(restoring) {
    const { ctx, project } = restoring;
    await ctx.query(sql`
      with made as (
        insert into labels (project_id, title, color, description, archived, created_at, updated_at)
        select ${project.id}::bigint, r.data ->> 'title', r.data ->> 'color', r.data ->> 'description',
               coalesce((r.data ->> 'archived')::boolean, false),
               ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
          from archive_import_rows r
         where ${rowsOfRelation(restoring, 'labels')}
           and not exists (select 1 from labels l where ${inForceFor(restoring, sql`l`)} and l.title = r.data ->> 'title')
         order by r.line
        on conflict do nothing returning id, title)
      update archive_import_rows r set made_id = m.id from made m
       where ${rowsOfRelation(restoring, 'labels')} and r.data ->> 'title' = m.title`);
    await ctx.query(sql`
      update archive_import_rows r
         set made_id = ${nearestOf(restoring, sql`labels`, sql`r.data ->> 'title'`)}, reused = true
       where ${rowsOfRelation(restoring, 'labels')} and r.made_id is null`);
    await nameReused(restoring, 'labels', { kind: 'label', table: sql`labels` });
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

/**
 * Milestones keep their numbers where those are free. A project has none of a title that its group has: that one is used,
 * and told with what differs.
 */
export const projectMilestoneRestorer: ProjectRestorer = {
  relation: 'milestones',
  async restore(restoring) {
    const { ctx, project } = restoring;
    const last = await lockProjectNumbers(restoring, 'milestone');
    const sharing = sql`(m.project_id = ${project.id} or m.namespace_id = ${project.namespace_id})`;
    const fresh = sql`
      (select f.line, (f.data ->> 'iid')::integer as iid, f.data from archive_import_rows f
        where ${rowsOfRelation(restoring, 'milestones', sql`f`)}
          and not exists (select 1 from milestones m where ${sharing} and m.title = f.data ->> 'title'))`;
    await ctx.query(sql`
      with made as (
        insert into milestones (project_id, iid, title, description, state, start_date, due_date, created_at, updated_at)
        select ${project.id}::bigint, n.number, r.data ->> 'title', r.data ->> 'description', r.data ->> 'state',
               (r.data ->> 'start_date')::date, (r.data ->> 'due_date')::date,
               ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
          from ${fresh} r join ${projectNumbersFor(fresh, sql`milestones`, project.id, last)} n on n.line = r.line
         order by r.line
        returning id, title)
      update archive_import_rows r set made_id = m.id from made m
       where ${rowsOfRelation(restoring, 'milestones')} and r.data ->> 'title' = m.title`);
    await keepProjectNumbers(restoring, 'milestone', sql`milestones`);
    await ctx.query(sql`
      update archive_import_rows r
         set reused = true,
             made_id = (select m.id from milestones m where ${sharing} and m.title = r.data ->> 'title'
                         order by m.project_id nulls last limit 1)
       where ${rowsOfRelation(restoring, 'milestones')} and r.made_id is null`);
    await nameReused(restoring, 'milestones', { kind: 'milestone', table: sql`milestones` });
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

/** Whoever here is the user of the archive with this id, if they may be chosen in boards: whoever reads the issues. */
const memberOf = (restoring: RestoringProject, id: Sql): Sql => sql`
  (select u.id from users u
    where u.id = ${userOf(restoring, id)} and u.state in ('active', 'deactivated')
      and exists (select 1 from ${projectTables} where p.id = ${restoring.project.id}
                    and ${mayReadIssuables(restoring.ctx, restoring.project.issues_access_level)}))`;

export const projectBoardRestorer: ProjectRestorer = {
  relation: 'boards',
  restore: (restoring) =>
    restoreBoards(restoring, {
      ...projectLabelsPlace(restoring),
      table: sql`projects`,
      label: (_id, title) => nearestOf(restoring, sql`labels`, title),
      milestone: (_id, named) => milestoneNamed(restoring, named),
      member: (id) => memberOf(restoring, id),
    }),
};
