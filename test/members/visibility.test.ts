import test from 'ava';
import fc from 'fast-check';
import { Caller } from '../../shared/core/context.js';
import { readAll } from '../../shared/core/list.js';
import { ACCESS_LEVELS } from '../../shared/core/policy.js';
import { sql } from '../../shared/core/sql.js';
import { findGroup, visibleGroups } from '../../shared/groups/group.finder.js';
import { groupPolicy } from '../../shared/groups/group.policy.js';
import { findProject, visibleProjects } from '../../shared/projects/project.finder.js';
import { projectPolicy } from '../../shared/projects/project.policy.js';
import { insertUser } from '../../shared/users/create-user.js';
import { useApp } from '../core/app.js';
import { unique } from '../core/builders.js';

const app = useApp(test);

const level = fc.constantFrom(5, 10, 15, 20, 30, 40, 50);
const visibility = fc.constantFrom('private', 'internal', 'public');
/** Days from today on which a membership ends: never, yesterday, today, tomorrow. */
const expiry = fc.constantFrom(null, '2029-12-31', '2030-01-01', '2030-01-02');
const USERS = ['plain', 'other', 'external', 'admin'] as const;
const who = fc.nat({ max: USERS.length - 1 });

/** A world: groups in trees, projects in groups or with people, and who is a member of what. */
const worlds = fc.record({
  groups: fc.array(fc.record({ parent: fc.option(fc.nat({ max: 5 })), visibility, removing: fc.boolean() }), {
    minLength: 1,
    maxLength: 7,
  }),
  projects: fc.array(fc.record({ at: fc.nat({ max: 9 }), visibility }), { maxLength: 7 }),
  groupMembers: fc.array(fc.record({ at: fc.nat({ max: 6 }), who, level, expiry }), { maxLength: 6 }),
  projectMembers: fc.array(fc.record({ at: fc.nat({ max: 6 }), who, level, expiry }), { maxLength: 5 }),
});

type World = typeof worlds extends fc.Arbitrary<infer W> ? W : never;

async function insertNamespace(parent: number[], shown: string, removing: boolean): Promise<number[]> {
  const ctx = app.context();
  const path = `v${unique()}`;
  const now = app.clock.now();
  const [row] = await ctx.query<{ id: number }>(sql`
    insert into namespaces (kind, name, path, visibility, parent_id, created_at, updated_at)
    values ('group', ${path}, ${path}, ${shown}, ${parent.at(-1) ?? null}, ${now}, ${now}) returning id`);
  const id = row?.id as number;
  const ids = [...parent, id];
  await ctx.query(sql`update namespaces set traversal_ids = ${ids}::bigint[] where id = ${id}`);
  await ctx.query(sql`insert into routes (namespace_id, path, name) values (${id}, ${path}, ${path})`);
  await ctx.query(sql`
    insert into group_settings (namespace_id, runners_token, removal_started_at)
    values (${id}, ''::bytea, ${removing ? now : null})`);
  return ids;
}

async function insertProject(namespaceId: number, shown: string): Promise<number> {
  const ctx = app.context();
  const path = `v${unique()}`;
  const now = app.clock.now();
  const [row] = await ctx.query<{ id: number }>(sql`
    insert into projects (namespace_id, name, path, visibility, last_activity_at, created_at, updated_at)
    values (${namespaceId}, ${path}, ${path}, ${shown}, ${now}, ${now}, ${now}) returning id`);
  await ctx.query(
    sql`insert into routes (project_id, path, name) values (${row?.id}, ${`${namespaceId}/${path}`}, ${path})`,
  );
  return row?.id as number;
}

async function build(world: World) {
  const ctx = app.context();
  const users = await Promise.all(
    USERS.map((kind) => {
      const name = `v${unique()}`;
      const own = app.context();
      return own.transaction(() =>
        insertUser(own, {
          username: name,
          name,
          email: `${name}@example.com`,
          external: kind === 'external',
          admin: kind === 'admin',
        }),
      );
    }),
  );
  const trees: number[][] = [];
  for (const group of world.groups) {
    const parent = group.parent === null ? [] : (trees[group.parent] ?? []);
    trees.push(
      await insertNamespace(parent, group.visibility, group.removing && group.parent === null && trees.length > 3),
    );
  }
  const places = [...trees.map((ids) => ids.at(-1) as number), ...users.map((user) => user.namespace_id)];
  const projects: number[] = [];
  for (const project of world.projects)
    projects.push(await insertProject(places[project.at % places.length] as number, project.visibility));
  const now = app.clock.now();
  for (const { at, who: index, level: access, expiry: ends } of world.groupMembers)
    await ctx.query(sql`
      insert into group_members (namespace_id, user_id, access_level, expires_on, created_at)
      values (${trees[at % trees.length]?.at(-1)}, ${users[index]?.id}, ${access}, ${ends}, ${now}) on conflict do nothing`);
  for (const { at, who: index, level: access, expiry: ends } of projects.length > 0 ? world.projectMembers : [])
    await ctx.query(sql`
      insert into project_members (project_id, user_id, access_level, expires_on, created_at)
      values (${projects[at % projects.length]}, ${users[index]?.id}, ${access}, ${ends}, ${now}) on conflict do nothing`);
  const callers = [Caller.anonymous, ...users.map((user) => new Caller(user))];
  return { groups: trees.map((ids) => ids.at(-1) as number), projects, callers };
}

const ids = (records: readonly { id: number }[]) => records.map((record) => record.id).sort((a, b) => a - b);
const rounds = { numRuns: 25 };

test('the groups that a list shows are just those that the policy lets the caller read', async (t) => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { groups, callers } = await build(world);
      for (const caller of callers) {
        const ctx = app.context(caller);
        const ours = sql`n.id = any(${groups}::bigint[])`;
        const listed = await readAll(ctx, visibleGroups(ctx, [ours]));
        const every = await readAll(ctx, { ...visibleGroups(ctx), where: [ours] });
        t.deepEqual(ids(listed), ids(every.filter((group) => groupPolicy.read_group(caller, group))));
      }
    }),
    rounds,
  );
});

test('the projects that a list shows are just those that the policy lets the caller read', async (t) => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { projects, callers } = await build(world);
      for (const caller of callers) {
        const ctx = app.context(caller);
        const ours = sql`p.id = any(${projects}::bigint[])`;
        const listed = await readAll(ctx, visibleProjects(ctx, [ours]));
        const every = await readAll(ctx, { ...visibleProjects(ctx), where: [ours] });
        t.deepEqual(ids(listed), ids(every.filter((project) => projectPolicy.read_project(caller, project))));
      }
    }),
    rounds,
  );
});

/** The effective level by its definition: the highest of every unexpired role at or above, and one's own namespace. */
async function definedLevel(kind: 'group' | 'project', id: number, userId: number): Promise<number> {
  const namespace =
    kind === 'group' ? sql`n.id = ${id}` : sql`n.id = (select p.namespace_id from projects p where p.id = ${id})`;
  const rows = await app.context().query<{ level: number }>(sql`
    select m.access_level as "level" from group_members m
     where m.user_id = ${userId} and (m.expires_on is null or m.expires_on > '2030-01-01')
       and m.namespace_id in (select unnest(n.traversal_ids) from namespaces n where ${namespace})
    union all select 50 from namespaces n where ${namespace} and n.owner_id = ${userId}
    union all select m.access_level from project_members m
     where ${kind} = 'project' and m.project_id = ${id} and m.user_id = ${userId}
       and (m.expires_on is null or m.expires_on > '2030-01-01')`);
  return Math.max(0, ...rows.map((row) => row.level));
}

test('the effective level is the highest of the direct role, those above, and owning the namespace', async (t) => {
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const { groups, projects, callers } = await build(world);
      for (const caller of callers) {
        if (!caller.user) continue;
        // The same user as an administrator, so that visibility hides nothing; the level does not count that.
        const ctx = app.context(new Caller({ ...caller.user, admin: true }));
        for (const id of projects)
          t.is((await findProject(ctx, id)).access, await definedLevel('project', id, caller.id));
        for (const id of groups) {
          const found = await findGroup(ctx, id).catch(() => null);
          if (found) t.is(found.access, await definedLevel('group', id, caller.id));
        }
      }
    }),
    { numRuns: 8 },
  );
});

test('the levels of the roles are those of the public API', (t) => {
  t.deepEqual(ACCESS_LEVELS, {
    no_access: 0,
    minimal: 5,
    guest: 10,
    planner: 15,
    reporter: 20,
    developer: 30,
    maintainer: 40,
    owner: 50,
    admin: 60,
  });
});
