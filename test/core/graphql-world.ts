import { sql } from '../../shared/core/sql.js';
import type { TestApp } from './app.js';
import type { BuiltUser } from './builders.js';

/** How many objects of each type there are. */
export const PARENTS = 20;

/**
 * An instance in which every object has all that it can have: as many groups below one group, each with a project,
 * a subgroup and a member of its own, and each project with a pipeline, a schedule and everything that belongs to it.
 * @returns an administrator, and a Maintainer of all of it
 */
export async function fillGraphql(app: TestApp): Promise<{ admin: BuiltUser; member: BuiltUser }> {
  const { build } = app;
  const ctx = app.context();
  const now = app.clock.now();
  const admin = await build.admin();
  const member = await build.user();
  const above = await build.group({ owner: admin, name: 'r', path: 'r', visibility: 'public' });
  await build.groupMember(above, 'maintainer', member);
  const upstream = await build.projectIn(above, { visibility: 'public' });
  // Lists of groups are by name: these come first.
  const letters = Array.from({ length: PARENTS }, (_, index) => `a${String(index).padStart(2, '0')}`);
  const projects: number[] = [];
  for (const name of letters) {
    const user = await build.user();
    const group = await build.group({ owner: admin, parent: above, name, path: name, visibility: 'public' });
    await build.group({ owner: admin, parent: group, name: 'z', path: 'z', visibility: 'public' });
    await build.groupMember(group, 'developer', user);
    const project = await build.projectIn(group, { visibility: 'public', empty: false });
    projects.push(project.id);
    await build.member(project, 'maintainer', user);
    const { id } = await build.schedule({ project, owner: user, inputs: [{ name: 'input', value: 'x' }] });
    await app
      .as(user)
      .post(`/projects/${project.id}/pipeline_schedules/${id}/variables`, { key: 'KEY', value: 'value' });
    await ctx.query(
      sql`insert into user_statuses (user_id, emoji, message, availability) values (${user.id}, 'tea', '', 'busy')`,
    );
    await ctx.query(
      sql`insert into project_stars (project_id, user_id, created_at) values (${project.id}, ${user.id}, ${now})`,
    );
    for (const owner of [`users/${user.id}`, `groups/${group.id}`, `projects/${project.id}`])
      await app.as(admin).put(`/${owner}/custom_attributes/place`, { value: owner });
    await ctx.query(sql`
      insert into pipelines (project_id, iid, ref, tag, sha, before_sha, status, source, user_id, pipeline_schedule_id,
                             created_at, updated_at)
      values (${project.id}, 1, 'main', false, repeat('a', 40), repeat('0', 40), 'success', 'schedule', ${user.id}, ${id},
              ${now}, ${now})`);
  }
  await ctx.query(sql`update group_members set created_by_id = ${admin.id}`);
  await ctx.query(sql`update project_members set created_by_id = ${admin.id}`);
  await ctx.query(sql`
    update projects set forked_from_id = ${upstream.id}, description = 'words' where id = any(${projects}::bigint[])`);
  // A rule's entry names a user or a group, never both.
  await ctx.query(sql`
    update protected_branch_access_levels l
       set access_level = null, user_id = case when l.project_id % 2 = 0 then ${admin.id}::bigint end,
           group_id = case when l.project_id % 2 = 1 then ${above.id}::bigint end
     where l.project_id = any(${projects}::bigint[])`);
  await ctx.query(sql`
    insert into topics (name, title, created_at, updated_at) values ('rockets', 'Rockets', ${now}, ${now})`);
  await ctx.query(sql`
    insert into project_topics (project_id, topic_id)
    select p.id, t.id from projects p cross join topics t where p.id = any(${projects}::bigint[])`);
  await ctx.query(sql`
    insert into project_languages (project_id, name, bytes)
    select id, 'Rust', 10 from projects where id = any(${projects}::bigint[]) on conflict do nothing`);
  // The upstream project is the oldest; whatever was sent with a token first writes down its use.
  for (const user of [admin, member]) await app.as(user).get('/version');
  await app.tokens.written();
  return { admin, member };
}
