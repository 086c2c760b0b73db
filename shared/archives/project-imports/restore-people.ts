import { sql } from '../../core/sql.js';
import { rowsOfRelation, timeOf, userOf } from '../archive-imports/restoring.js';
import type { ProjectRestorer } from './restoring-project.js';

const MEMBERS = 'project_members';
const CONTRIBUTORS = 'user_contributions';

/** Who wrote what: nothing is made of it, but those who are users here are counted. */
export const projectContributorRestorer: ProjectRestorer = {
  relation: CONTRIBUTORS,
  silent: true,
  async restore(restoring) {
    const { ctx, importId } = restoring;
    await ctx.query(sql`
      update archive_import_rows r set made_id = u.user_id from archive_import_users u
       where ${rowsOfRelation(restoring, CONTRIBUTORS)} and u.import_id = ${importId} and u.source_id = r.source_id`);
  },
};

/**
 * Roles of an archive that tells them, of users who were found: administrators' imports alone find any. Nobody who
 * inherits more gets less (group-export-import.md section 4.11).
 */
export const projectMemberRestorer: ProjectRestorer = {
  relation: MEMBERS,
  silent: true,
  async restore(restoring) {
    const { ctx, project } = restoring;
    const day = ctx.clock.now().toISOString().slice(0, 10);
    const user = userOf(restoring, sql`(r.data ->> 'user_id')::bigint`);
    const above = [...project.namespace.traversal_ids];
    const added = await ctx.query<{ id: number; username: string; access_level: number }>(sql`
      with wished as (
        select distinct on (u.id) r.line, u.id, u.username, (r.data ->> 'access_level')::integer as level,
               (r.data ->> 'expires_at')::date as expires_on, ${timeOf(restoring, 'created_at')} as created_at
          from archive_import_rows r join users u on u.id = ${user}
         where ${rowsOfRelation(restoring, MEMBERS)} and r.data ->> 'requested_at' is null
           and (r.data ->> 'expires_at' is null or (r.data ->> 'expires_at')::date > ${day}::date)
         order by u.id, r.line),
      made as (
        insert into project_members (project_id, user_id, access_level, created_by_id, expires_on, created_at)
        select ${project.id}::bigint, w.id, w.level, ${ctx.caller.id}::bigint, w.expires_on, w.created_at from wished w
         where not exists (
           select 1 from group_members a where a.namespace_id = any(${above}::bigint[]) and a.user_id = w.id
              and a.access_level > w.level and (a.expires_on is null or a.expires_on > ${day}::date))
         order by w.line
        on conflict do nothing returning user_id, access_level)
      select m.user_id as "id", w.username as "username", m.access_level as "access_level"
        from made m join wished w on w.id = m.user_id order by w.line`);
    await ctx.query(sql`
      update archive_import_rows r set made_id = m.id from project_members m
       where ${rowsOfRelation(restoring, MEMBERS)} and m.project_id = ${project.id} and m.user_id = ${user}`);
    ctx.record(...added.map((member) => ({ type: 'member.added' as const, container: { project }, member })));
  },
};
