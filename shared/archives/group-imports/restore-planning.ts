import { raw, sql } from '../../core/sql.js';
import type { Sql } from '../../core/sql.js';
import {
  nearestInForce,
  keepNumbers,
  lockNumbers,
  numbersFor,
  placesOf,
  rowsOfRelation,
  timeOf,
  userOf,
} from '../archive-imports/restoring.js';
import type { Restorer, Restoring } from '../archive-imports/restoring.js';

/** A label of a title that is in force already is taken in place of the archive's (group-export-import.md section 4.10). */
export const labelRestorer: Restorer = {
  relation: 'labels',
  async restore(restoring) {
    const { ctx, group } = restoring;
    await ctx.query(sql`
      insert into labels (namespace_id, title, color, description, archived, created_at, updated_at)
      select ${group.id}::bigint, r.data ->> 'title', r.data ->> 'color', r.data ->> 'description',
             coalesce((r.data ->> 'archived')::boolean, false),
             ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
        from (select distinct on (f.data ->> 'title') f.line, f.data from archive_import_rows f
               where ${rowsOfRelation(restoring, 'labels', sql`f`)}
                 and not exists (select 1 from labels l where l.namespace_id = any(${placesOf(restoring)})
                                  and l.title = f.data ->> 'title')
               order by f.data ->> 'title', f.line) r
       order by r.line
      on conflict do nothing`);
    await ctx.query(sql`
      update archive_import_rows r set made_id = ${nearestInForce(restoring, sql`labels`, sql`r.data ->> 'title'`)}
       where ${rowsOfRelation(restoring, 'labels')}`);
  },
};

/** The same for milestones, which keep their numbers where those are free. */
export const milestoneRestorer: Restorer = {
  relation: 'milestones',
  async restore(restoring) {
    const { ctx, group } = restoring;
    const last = await lockNumbers(restoring, 'milestone');
    const fresh = sql`
      (select distinct on (f.data ->> 'title') f.line, (f.data ->> 'iid')::integer as iid, f.data
         from archive_import_rows f
        where ${rowsOfRelation(restoring, 'milestones', sql`f`)}
          and not exists (select 1 from milestones m where m.namespace_id = any(${placesOf(restoring)})
                           and m.title = f.data ->> 'title')
        order by f.data ->> 'title', f.line)`;
    await ctx.query(sql`
      insert into milestones (namespace_id, iid, title, description, state, start_date, due_date, created_at, updated_at)
      select ${group.id}::bigint, n.number, r.data ->> 'title', r.data ->> 'description', r.data ->> 'state',
             (r.data ->> 'start_date')::date, (r.data ->> 'due_date')::date,
             ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
        from ${fresh} r join ${numbersFor(fresh, sql`milestones`, group.id, last)} n on n.line = r.line
       order by r.line`);
    await keepNumbers(restoring, 'milestone', sql`milestones`);
    await ctx.query(sql`
      update archive_import_rows r set made_id = ${nearestInForce(restoring, sql`milestones`, sql`r.data ->> 'title'`)}
       where ${rowsOfRelation(restoring, 'milestones')}`);
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

/** The id here of what a row's data names by the id that it had, else by its title, if it is in force in the group. */
const named = (restoring: Restoring, relation: 'labels' | 'milestones', id: Sql, title: Sql): Sql => sql`
  coalesce((select s.made_id from archive_import_rows s join ${raw(relation)} x on x.id = s.made_id
             where s.import_id = ${restoring.importId} and s.relation = ${relation} and s.source_id = ${id}
               and x.namespace_id = any(${placesOf(restoring)}) order by s.source_group limit 1),
           ${nearestInForce(restoring, raw(relation), title)})`;

/** Whoever here is the user that `person` tells of, if they are a member of the group or of one above it. */
const memberOf = (restoring: Restoring, person: Sql): Sql => sql`
  (select m.user_id from group_members m
    where m.namespace_id = any(${placesOf(restoring)}) and m.user_id = ${userOf(restoring, sql`(${person} ->> 'id')::bigint`)}
    limit 1)`;

/** Lists of boards: those of labels, milestones and members that there are. Two of one thing become one. */
async function restoreLists(restoring: Restoring): Promise<void> {
  const { ctx } = restoring;
  await ctx.query(sql`
    with lists as (
      select r.made_id as board_id, r.line, l.at, l.data, l.data ->> 'list_type' as list_type,
             case when l.data ->> 'list_type' = 'label' then
               ${named(restoring, 'labels', sql`(l.data ->> 'label_id')::bigint`, sql`l.data -> 'label' ->> 'title'`)} end as label_id,
             case when l.data ->> 'list_type' = 'milestone' then
               ${named(restoring, 'milestones', sql`null::bigint`, sql`l.data -> 'milestone' ->> 'title'`)} end as milestone_id,
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

export const boardRestorer: Restorer = {
  relation: 'boards',
  async restore(restoring) {
    const { ctx, group } = restoring;
    // The board that the group was made with gives way to those of the archive.
    await ctx.query(sql`
      delete from boards b using namespaces n
       where n.id = ${group.id} and b.namespace_id = n.id and b.created_at = n.created_at and b.updated_at = n.created_at
         and not exists (select 1 from board_lists l where l.board_id = b.id)
         and exists (select 1 from archive_import_rows r where ${rowsOfRelation(restoring, 'boards')})`);
    await ctx.query(sql`
      update archive_import_rows r set made_id = nextval(pg_get_serial_sequence('boards', 'id'))
       where ${rowsOfRelation(restoring, 'boards')}`);
    await ctx.query(sql`
      insert into boards (id, namespace_id, name, hide_backlog_list, hide_closed_list, milestone_id, assignee_id, weight, created_at, updated_at)
      select r.made_id, ${group.id}::bigint, r.data ->> 'name', coalesce((r.data ->> 'hide_backlog_list')::boolean, false),
             coalesce((r.data ->> 'hide_closed_list')::boolean, false),
             ${named(restoring, 'milestones', sql`(r.data ->> 'milestone_id')::bigint`, sql`r.data -> 'milestone' ->> 'title'`)},
             ${memberOf(restoring, sql`r.data -> 'board_assignee' -> 'assignee'`)},
             (r.data ->> 'weight')::integer, ${timeOf(restoring, 'created_at')}, ${timeOf(restoring, 'updated_at')}
        from archive_import_rows r where ${rowsOfRelation(restoring, 'boards')} order by r.line`);
    await restoreLists(restoring);
    await ctx.query(sql`
      insert into board_labels (board_id, label_id)
      select x.made_id, x.label_id
        from (select r.made_id, ${nearestInForce(restoring, sql`labels`, sql`g ->> 'title'`)} as label_id
                from archive_import_rows r, jsonb_array_elements(coalesce(nullif(r.data -> 'labels', 'null'), '[]')) g
               where ${rowsOfRelation(restoring, 'boards')}) x
       where x.label_id is not null
      on conflict do nothing`);
  },
};

/** Roles of users who were found, as far as they do not inherit more; nobody is made more than an Owner. */
export const memberRestorer: Restorer = {
  relation: 'members',
  async restore(restoring) {
    const { ctx, group } = restoring;
    const day = ctx.clock.now().toISOString().slice(0, 10);
    const added = await ctx.query<{ id: number; username: string; access_level: number }>(sql`
      with wished as (
        select distinct on (u.id) r.line, u.id, u.username, (r.data ->> 'access_level')::integer as level,
               (r.data ->> 'expires_at')::date as expires_on, ${timeOf(restoring, 'created_at')} as created_at
          from archive_import_rows r join users u on u.id = ${userOf(restoring, sql`(r.data ->> 'user_id')::bigint`)}
         where ${rowsOfRelation(restoring, 'members')} and r.data ->> 'requested_at' is null
           and (r.data ->> 'expires_at' is null or (r.data ->> 'expires_at')::date > ${day}::date)
         order by u.id, r.line),
      made as (
        insert into group_members (namespace_id, user_id, access_level, created_by_id, expires_on, created_at)
        select ${group.id}::bigint, w.id, w.level, ${ctx.caller.id}::bigint, w.expires_on, w.created_at from wished w
         where not exists (
           select 1 from group_members a where a.namespace_id = any(${placesOf(restoring)}) and a.user_id = w.id
              and a.access_level > w.level and (a.expires_on is null or a.expires_on > ${day}::date))
         order by w.line
        on conflict do nothing returning user_id, access_level)
      select m.user_id as "id", w.username as "username", m.access_level as "access_level"
        from made m join wished w on w.id = m.user_id order by w.line`);
    await ctx.query(sql`
      update archive_import_rows r set made_id = m.id from group_members m
       where ${rowsOfRelation(restoring, 'members')} and m.namespace_id = ${group.id}
         and m.user_id = ${userOf(restoring, sql`(r.data ->> 'user_id')::bigint`)}`);
    const named = { group: { id: group.id, full_path: group.full_path } };
    ctx.record(...added.map((member) => ({ type: 'member.added' as const, container: named, member })));
  },
};
