import { sql } from '../../core/sql.js';
import { inheritsProblemSql, memberRowProblemSql } from '../archive-imports/member-problems.js';
import { isImporter, restoreContributors, rowsOfRelation, timeOf, userOf } from '../archive-imports/restoring.js';
import type { ProjectRestorer } from './restoring-project.js';

const MEMBERS = 'project_members';

export const projectContributorRestorer: ProjectRestorer = {
  relation: 'user_contributions',
  restore: restoreContributors,
};

/**
 * Roles of an archive that tells them, of users who were found: administrators' imports alone find any. Nobody who
 * inherits more gets less (group-export-import.md section 4.11).
 */
export const projectMemberRestorer: ProjectRestorer = {
  relation: MEMBERS,
  async restore(restoring) {
    const { ctx, importId, project } = restoring;
    const rows = rowsOfRelation(restoring, MEMBERS);
    const day = ctx.clock.now().toISOString().slice(0, 10);
    const id = sql`(r.data ->> 'user_id')::bigint`;
    const user = userOf(restoring, id);
    const above = [...project.namespace.traversal_ids];
    await ctx.query(sql`
      update archive_import_rows r
         set problem = coalesce(${memberRowProblemSql(day)},
               (select iu.problem from archive_import_users iu where iu.import_id = ${importId} and iu.source_id = ${id}))
       where ${rows}`);
    const added = await ctx.query<{ id: number; username: string; access_level: number }>(sql`
      with wished as (
        select distinct on (u.id) r.line, u.id, u.username, (r.data ->> 'access_level')::integer as level,
               (r.data ->> 'expires_at')::date as expires_on, ${timeOf(restoring, 'created_at')} as created_at
          from archive_import_rows r join users u on u.id = ${user}
         where ${rows} and r.problem is null
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
       where ${rows} and r.problem is null and m.project_id = ${project.id} and m.user_id = ${user}`);
    // Whoever imports may make the project, and so has a role in it already.
    await ctx.query(sql`
      update archive_import_rows r set made_id = ${ctx.caller.id}
       where ${rows} and r.problem is null and r.made_id is null and ${isImporter(restoring, id)}`);
    await ctx.query(sql`
      update archive_import_rows r set problem = ${inheritsProblemSql}
       where ${rows} and r.problem is null and r.made_id is null`);
    ctx.record(...added.map((member) => ({ type: 'member.added' as const, container: { project }, member })));
  },
};
