import test from 'ava';
import { ANONYMOUS, UserCaller } from '../../shared/core/context/callers.js';
import { readAll } from '../../shared/core/database/list.js';
import { sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { planningProjects, readsPlanning } from '../../shared/tenancy/containers/planning-rights.js';
import { containerOfProject } from '../../shared/tenancy/containers/container.js';
import { visibleProjects } from '../../shared/tenancy/projects/project.finder.js';
import { useApp } from '../core/app.js';

const app = useApp(test);
const LEVELS = ['enabled', 'private', 'disabled'] as const;

/** A project of each visibility with each pair of levels of issues and merge requests. */
async function projects(): Promise<number[]> {
  const group = await app.build.group({ visibility: 'public' });
  const ids: number[] = [];
  for (const visibility of ['private', 'internal', 'public'])
    for (const issues of LEVELS)
      for (const merges of LEVELS) {
        const { id } = await app.build.projectIn(group, { visibility });
        await app.context().query(sql`
          update projects set issues_access_level = ${issues}, merge_requests_access_level = ${merges} where id = ${id}`);
        ids.push(id);
      }
  return ids;
}

test('projects whose labels and milestones a list holds are those where one may be read', async (t) => {
  const ids = await projects();
  const member = await app.build.user();
  for (const id of ids) await app.build.member({ id }, 'guest', member);
  const people = [member, await app.build.user(), await app.build.user({ external: true }), await app.build.admin()];
  const callers = [ANONYMOUS, ...people.map((user) => new UserCaller(user))];
  for (const caller of callers) {
    const ctx = app.context(caller);
    const visible = await readAll(ctx, visibleProjects(ctx, [sql<SqlBool>`p.id = any(${ids}::bigint[])`]));
    const readable = visible.filter((project) => readsPlanning(caller, containerOfProject(project)));
    const listed = await ctx.query<{ id: number }>(sql`
      select p.id as "id" from projects p where p.id = any(${ids}::bigint[]) and ${planningProjects(ctx)} order by p.id`);
    t.deepEqual(
      listed.map(({ id }) => id),
      readable.map(({ id }) => id).sort((a, b) => a - b),
    );
  }
});
