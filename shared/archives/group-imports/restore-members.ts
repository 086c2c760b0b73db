import { sql } from '../../core/sql.js';
import { inheritsProblemSql, memberRowProblemSql } from '../archive-imports/member-problems.js';
import { isImporter, placesOf, rowsOfRelation, timeOf, userOf } from '../archive-imports/restoring.js';
import type { Restorer, Restoring } from '../archive-imports/restoring.js';

const RELATION = 'members';
const USER = sql`(r.data ->> 'user_id')::bigint`;

/** How they wished to be notified of what is in the group, where that is not the usual. */
async function restoreNotifications(restoring: Restoring): Promise<void> {
  const { ctx, group } = restoring;
  await ctx.query(sql`
    insert into group_notification_settings (namespace_id, user_id, level, events)
    select m.namespace_id, m.user_id, (r.data ->> 'notification_level')::smallint, '{}'::jsonb
      from archive_import_rows r join group_members m on m.id = r.made_id
     where ${rowsOfRelation(restoring, RELATION)} and m.namespace_id = ${group.id}
       and (r.data ->> 'notification_level')::numeric in (0, 1, 2, 4, 5)
    on conflict do nothing`);
}

/** Roles of users who were found, as far as they do not inherit more; nobody is made more than an Owner. */
export const memberRestorer: Restorer = {
  relation: RELATION,
  async restore(restoring) {
    const { ctx, importId, group } = restoring;
    const rows = rowsOfRelation(restoring, RELATION);
    const day = ctx.clock.now().toISOString().slice(0, 10);
    await ctx.query(sql`
      update archive_import_rows r
         set problem = coalesce(${memberRowProblemSql(day)},
               (select iu.problem from archive_import_users iu where iu.import_id = ${importId} and iu.source_id = ${USER}))
       where ${rows}`);
    const added = await ctx.query<{ id: number; username: string; access_level: number }>(sql`
      with wished as (
        select distinct on (u.id) r.line, u.id, u.username, (r.data ->> 'access_level')::integer as level,
               (r.data ->> 'expires_at')::date as expires_on, ${timeOf(restoring, 'created_at')} as created_at
          from archive_import_rows r join users u on u.id = ${userOf(restoring, USER)}
         where ${rows} and r.problem is null
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
       where ${rows} and r.problem is null and m.namespace_id = ${group.id}
         and m.user_id = coalesce(${userOf(restoring, USER)}, case when ${isImporter(restoring, USER)} then ${ctx.caller.id}::bigint end)`);
    await ctx.query(sql`
      update archive_import_rows r set problem = ${inheritsProblemSql}
       where ${rows} and r.problem is null and r.made_id is null`);
    await restoreNotifications(restoring);
    const named = { group: { id: group.id, full_path: group.full_path } };
    ctx.record(...added.map((member) => ({ type: 'member.added' as const, container: named, member })));
  },
};
