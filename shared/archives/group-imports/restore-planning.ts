import { sql } from '../../core/sql.js';
import {
  nearestInForce,
  keepNumbers,
  lockNumbers,
  numbersFor,
  placesOf,
  rowsOfRelation,
  timeOf,
} from '../archive-imports/restoring.js';
import type { Restorer } from '../archive-imports/restoring.js';
import { nameReused } from '../archive-imports/reused-values.js';

/**
 * A label of a title that is in force already is not made: that one is used, and told with what differs
 * (group-export-import.md section 4.10).
 */
export const labelRestorer: Restorer = {
  relation: 'labels',
  async restore(restoring) {
    const { ctx, group } = restoring;
    await ctx.query(sql`
      with made as (
        insert into labels (namespace_id, title, color, description, archived, created_at, updated_at)
        select ${group.id}::bigint, r.data ->> 'title', r.data ->> 'color', r.data ->> 'description',
               coalesce((r.data ->> 'archived')::boolean, false),
               ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
          from archive_import_rows r
         where ${rowsOfRelation(restoring, 'labels')}
           and not exists (select 1 from labels l where l.namespace_id = any(${placesOf(restoring)})
                            and l.title = r.data ->> 'title')
         order by r.line
        on conflict do nothing returning id, title)
      update archive_import_rows r set made_id = m.id from made m
       where ${rowsOfRelation(restoring, 'labels')} and r.data ->> 'title' = m.title`);
    await ctx.query(sql`
      update archive_import_rows r
         set made_id = ${nearestInForce(restoring, sql`labels`, sql`r.data ->> 'title'`)}, reused = true
       where ${rowsOfRelation(restoring, 'labels')} and r.made_id is null`);
    await nameReused(restoring, 'labels', { kind: 'label', table: sql`labels` });
  },
};

/**
 * Milestones keep their numbers where those are free. Groups may have some of one title at each level, so that none of a
 * group above ever stands for one; one of the group itself does where it is the very same.
 */
export const milestoneRestorer: Restorer = {
  relation: 'milestones',
  async restore(restoring) {
    const { ctx, group } = restoring;
    const last = await lockNumbers(restoring, 'milestone');
    const fresh = sql`
      (select f.line, (f.data ->> 'iid')::integer as iid, f.data from archive_import_rows f
        where ${rowsOfRelation(restoring, 'milestones', sql`f`)}
          and not exists (select 1 from milestones m where m.namespace_id = ${group.id} and m.title = f.data ->> 'title'))`;
    await ctx.query(sql`
      with made as (
        insert into milestones (namespace_id, iid, title, description, state, start_date, due_date, created_at, updated_at)
        select ${group.id}::bigint, n.number, r.data ->> 'title', r.data ->> 'description', r.data ->> 'state',
               (r.data ->> 'start_date')::date, (r.data ->> 'due_date')::date,
               ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
          from ${fresh} r join ${numbersFor(fresh, sql`milestones`, group.id, last)} n on n.line = r.line
         order by r.line
        returning id, title)
      update archive_import_rows r set made_id = m.id from made m
       where ${rowsOfRelation(restoring, 'milestones')} and r.data ->> 'title' = m.title`);
    await keepNumbers(restoring, 'milestone', sql`milestones`);
    await ctx.query(sql`
      update archive_import_rows r
         set made_id = case when x.is_same then x.id end,
             problem = case when not x.is_same then 'title has already been taken' end
        from (select m.id, m.title, m.namespace_id,
                     coalesce(m.description, '') = coalesce(f.data ->> 'description', '')
                       and m.created_at = (f.data ->> 'created_at')::timestamptz as is_same, f.line
                from milestones m join archive_import_rows f on f.data ->> 'title' = m.title
               where m.namespace_id = ${group.id} and ${rowsOfRelation(restoring, 'milestones', sql`f`)}) x
       where ${rowsOfRelation(restoring, 'milestones')} and r.line = x.line and r.made_id is null`);
  },
};

export const badgeRestorer: Restorer = {
  relation: 'badges',
  async restore(restoring) {
    const { ctx, group } = restoring;
    await ctx.query(sql`
      update archive_import_rows r set made_id = nextval(pg_get_serial_sequence('badges', 'id'))
       where ${rowsOfRelation(restoring, 'badges')}`);
    await ctx.query(sql`
      insert into badges (id, namespace_id, name, link_url, image_url, created_at, updated_at)
      select r.made_id, ${group.id}::bigint, r.data ->> 'name', r.data ->> 'link_url', r.data ->> 'image_url',
             ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
        from archive_import_rows r where ${rowsOfRelation(restoring, 'badges')} order by r.line`);
  },
};
