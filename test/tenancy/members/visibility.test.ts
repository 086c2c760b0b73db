import test from 'ava';
import fc from 'fast-check';
import { expressionBuilder, sql } from 'kysely';
import type { SqlBool } from 'kysely';
import { ANONYMOUS, UserCaller } from '../../../shared/core/context/callers.js';
import { narrow, readAll } from '../../../shared/core/database/list.js';
import { ACCESS_LEVELS } from '../../../shared/core/operations/policy.js';
import {
  findGroup,
  groupsWhere,
  visibleMembersCondition,
  visibleGroups,
} from '../../../shared/tenancy/groups/group.finder.js';
import { groupPolicy } from '../../../shared/tenancy/groups/group.policy.js';
import { memberOfGroup, memberOfProject, today } from '../../../shared/tenancy/namespaces/access.js';
import { findProject, visibleProjects } from '../../../shared/tenancy/projects/project.finder.js';
import type { OfProjects } from '../../../shared/tenancy/projects/project.finder.js';
import { projectPolicy } from '../../../shared/tenancy/projects/project.policy.js';
import { insertUser } from '../../../shared/tenancy/users/create-user.js';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);

const level = fc.constantFrom(5, 10, 15, 20, 30, 40, 50);
const shareLevel = fc.constantFrom(10, 15, 20, 30, 40, 50);
const visibility = fc.constantFrom('private', 'internal', 'public');
/** Days from today on which a membership ends: never, yesterday, today, tomorrow. */
const expiry = fc.constantFrom(null, '2029-12-31', '2030-01-01', '2030-01-02');
const USERS = ['plain', 'other', 'external', 'admin'] as const;
const who = fc.nat({ max: USERS.length - 1 });

/** A sandbox: groups in trees, projects in groups or user namespaces, and memberships. */
const worlds = fc.record({
  groups: fc.array(
    fc.record({ parent: fc.option(fc.nat({ max: 5 })), visibility, removing: fc.boolean(), locked: fc.boolean() }),
    {
      minLength: 1,
      maxLength: 7,
    },
  ),
  projects: fc.array(fc.record({ at: fc.nat({ max: 9 }), visibility }), { maxLength: 7 }),
  groupMembers: fc.array(fc.record({ at: fc.nat({ max: 6 }), who, level, expiry }), { maxLength: 6 }),
  groupShares: fc.array(fc.record({ at: fc.nat({ max: 6 }), with: fc.nat({ max: 6 }), level: shareLevel, expiry }), {
    maxLength: 4,
  }),
  projectShares: fc.array(fc.record({ at: fc.nat({ max: 6 }), with: fc.nat({ max: 6 }), level: shareLevel, expiry }), {
    maxLength: 4,
  }),
  projectMembers: fc.array(fc.record({ at: fc.nat({ max: 6 }), who, level, expiry }), { maxLength: 5 }),
});

type Sandbox = typeof worlds extends fc.Arbitrary<infer W> ? W : never;

async function insertNamespace(
  parent: number[],
  visibilityLevel: string,
  removing: boolean,
  locked: boolean,
): Promise<number[]> {
  const ctx = app.context();
  const path = `v${unique()}`;
  const now = app.clock.now();
  const [row] = await ctx.query<{ id: number }>(sql`
    insert into namespaces (kind, name, path, visibility, parent_id, created_at, updated_at)
    values ('group', ${path}, ${path}, ${visibilityLevel}, ${parent.at(-1) ?? null}, ${now}, ${now}) returning id`);
  const id = row?.id as number;
  const ids = [...parent, id];
  await ctx.query(sql`update namespaces set traversal_ids = ${ids}::bigint[] where id = ${id}`);
  await ctx.query(sql`insert into routes (namespace_id, path, name) values (${id}, ${path}, ${path})`);
  await ctx.query(sql`
    insert into group_settings (namespace_id, runners_token, removal_started_at, share_with_group_lock)
    values (${id}, ''::bytea, ${removing ? now : null}, ${locked})`);
  return ids;
}

async function insertProject(namespaceId: number, visibilityLevel: string): Promise<number> {
  const ctx = app.context();
  const path = `v${unique()}`;
  const now = app.clock.now();
  const [row] = await ctx.query<{ id: number }>(sql`
    insert into projects (namespace_id, name, path, visibility, last_activity_at, created_at, updated_at)
    values (${namespaceId}, ${path}, ${path}, ${visibilityLevel}, ${now}, ${now}, ${now}) returning id`);
  await ctx.query(
    sql`insert into routes (project_id, path, name) values (${row?.id}, ${`${namespaceId}/${path}`}, ${path})`,
  );
  return row?.id as number;
}

async function build(sandbox: Sandbox) {
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
  for (const group of sandbox.groups) {
    const parent = group.parent === null ? [] : (trees[group.parent] ?? []);
    trees.push(
      await insertNamespace(
        parent,
        group.visibility,
        group.removing && group.parent === null && trees.length > 3,
        group.locked && trees.length % 2 === 1,
      ),
    );
  }
  const namespaceIds = [...trees.map((ids) => ids.at(-1) as number), ...users.map((user) => user.namespace_id)];
  const projects: number[] = [];
  for (const project of sandbox.projects)
    projects.push(await insertProject(namespaceIds[project.at % namespaceIds.length] as number, project.visibility));
  const now = app.clock.now();
  for (const { at, who: index, level: access, expiry: ends } of sandbox.groupMembers)
    await ctx.query(sql`
      insert into group_members (namespace_id, user_id, access_level, expires_on, created_at)
      values (${trees[at % trees.length]?.at(-1)}, ${users[index]?.id}, ${access}, ${ends}, ${now}) on conflict do nothing`);
  for (const { at, who: index, level: access, expiry: ends } of projects.length > 0 ? sandbox.projectMembers : [])
    await ctx.query(sql`
      insert into project_members (project_id, user_id, access_level, expires_on, created_at)
      values (${projects[at % projects.length]}, ${users[index]?.id}, ${access}, ${ends}, ${now}) on conflict do nothing`);
  const groupAt = (at: number) => trees[at % trees.length]?.at(-1);
  for (const { at, with: other, level: access, expiry: ends } of sandbox.groupShares)
    await ctx.query(sql`
      insert into group_shares (namespace_id, group_id, group_access, expires_on, created_at)
      values (${groupAt(at)}, ${groupAt(other)}, ${access}, ${ends}, ${now}) on conflict do nothing`);
  for (const { at, with: other, level: access, expiry: ends } of projects.length > 0 ? sandbox.projectShares : [])
    await ctx.query(sql`
      insert into project_shares (project_id, group_id, group_access, expires_on, created_at)
      values (${projects[at % projects.length]}, ${groupAt(other)}, ${access}, ${ends}, ${now}) on conflict do nothing`);
  const callers = [ANONYMOUS, ...users.map((user) => new UserCaller(user))];
  return { groups: trees.map((ids) => ids.at(-1) as number), projects, callers };
}

const ids = (records: readonly { id: number }[]) => records.map((record) => record.id).sort((a, b) => a - b);
const rounds = { numRuns: 25 };

// Contract: core-3.list
test('the groups that a list shows are just those that the policy lets the caller read', async (t) => {
  await fc.assert(
    fc.asyncProperty(worlds, async (sandbox) => {
      const { groups, callers } = await build(sandbox);
      for (const caller of callers) {
        const ctx = app.context(caller);
        const ours = sql<SqlBool>`n.id = any(${groups}::bigint[])`;
        const listed = await readAll(ctx, visibleGroups(ctx, [ours]));
        const every = await readAll(ctx, groupsWhere(ctx, [ours]));
        t.deepEqual(ids(listed), ids(every.filter((group) => groupPolicy.read_group(caller, group))));
      }
    }),
    rounds,
  );
});

test('the groups whose members a list tells of are just those that the policy lets the caller know', async (t) => {
  await fc.assert(
    fc.asyncProperty(worlds, async (sandbox) => {
      const { groups, callers } = await build(sandbox);
      for (const caller of callers) {
        const ctx = app.context(caller);
        const ours = sql<SqlBool>`n.id = any(${groups}::bigint[])`;
        const listed = await readAll(ctx, groupsWhere(ctx, [ours, visibleMembersCondition(ctx)]));
        const visible = await readAll(ctx, visibleGroups(ctx, [ours]));
        t.deepEqual(ids(listed), ids(visible.filter((group) => groupPolicy.read_group_member(caller, group))));
      }
    }),
    rounds,
  );
});

// Contract: projects-2.2, projects-2.2.lists
test('the projects that a list shows are just those that the policy lets the caller read', async (t) => {
  await fc.assert(
    fc.asyncProperty(worlds, async (sandbox) => {
      const { projects, callers } = await build(sandbox);
      for (const caller of callers) {
        const ctx = app.context(caller);
        const ours = sql<SqlBool>`p.id = any(${projects}::bigint[])`;
        const listed = await readAll(ctx, visibleProjects(ctx, [ours]));
        const whole = {
          ...visibleProjects(ctx),
          matching: expressionBuilder<OfProjects>().selectFrom('projects as p'),
        };
        const every = await readAll(ctx, narrow(whole, [ours]));
        t.deepEqual(ids(listed), ids(every.filter((project) => projectPolicy.read_project(caller, project))));
      }
    }),
    rounds,
  );
});

interface Row {
  at: number;
  user_id: number;
  group_id: number;
  level: number;
}

/** What holds today of a table of roles or shares. */
function holding(table: string, path: string, who: string, level: string): Promise<Row[]> {
  return app.context().query<Row>(sql`
    select ${sql.raw(path)} as "at", ${sql.raw(who)}, ${sql.raw(level)} as "level" from ${sql.raw(table)}
     where expires_on is null or expires_on > '2030-01-01'`);
}

/** The effective level by its definition, computed from whole tables (shared/core/decisions/0019-shares.md). */
async function definition() {
  const namespaces = await app.context().query<{ id: number; owner_id: number | null; traversal_ids: number[] }>(sql`
    select n.id, n.owner_id, n.traversal_ids from namespaces n`);
  const projects = await app.context().query<{ id: number; namespace_id: number; locked: boolean }>(sql`
    select p.id, p.namespace_id, coalesce(gs.share_with_group_lock, false) as "locked"
      from projects p left join group_settings gs on gs.namespace_id = p.namespace_id`);
  const inGroups = await holding('group_members', 'namespace_id', 'user_id', 'access_level');
  const inProjects = await holding('project_members', 'project_id', 'user_id', 'access_level');
  const groupShares = await holding('group_shares', 'namespace_id', 'group_id', 'group_access');
  const projectShares = await holding('project_shares', 'project_id', 'group_id', 'group_access');
  const directly = (group: number, user: number) =>
    Math.max(0, ...inGroups.filter((row) => row.at === group && row.user_id === user).map((row) => row.level));
  const capped = (level: number, most: number) => (level < 10 ? 0 : Math.min(level, most));
  const inGroup = (group: number, user: number): number => {
    const namespace = namespaces.find(({ id }) => id === group);
    const levels = (namespace?.traversal_ids ?? []).flatMap((above) => [
      directly(above, user),
      ...groupShares.filter((row) => row.at === above).map((row) => capped(directly(row.group_id, user), row.level)),
    ]);
    return Math.max(namespace?.owner_id === user ? 50 : 0, ...levels);
  };
  const inProject = (id: number, user: number): number => {
    const found = projects.find((one) => one.id === id);
    const shares = found?.locked ? [] : projectShares.filter((row) => row.at === id);
    return Math.max(
      inGroup(found?.namespace_id ?? 0, user),
      ...inProjects.filter((row) => row.at === id && row.user_id === user).map((row) => row.level),
      ...shares.map((row) => capped(inGroup(row.group_id, user), row.level)),
    );
  };
  return { inGroup, inProject };
}

// Contract: core-4.effective, interface-4.10.membership
test('the effective level is the highest of the direct role, those above, those by shares, and owning the namespace', async (t) => {
  await fc.assert(
    fc.asyncProperty(worlds, async (sandbox) => {
      const { groups, projects, callers } = await build(sandbox);
      const { inGroup, inProject } = await definition();
      for (const caller of callers) {
        if (!caller.user) continue;
        // The same user as an administrator, so that visibility hides nothing; the level does not count that.
        const ctx = app.context(new UserCaller({ ...caller.user, admin: true }));
        for (const id of projects) t.is((await findProject(ctx, id)).access, inProject(id, caller.id));
        for (const id of groups) {
          const found = await findGroup(ctx, id).catch(() => null);
          if (found) t.is(found.access, inGroup(id, caller.id));
        }
        const own = app.context(caller);
        for (const least of [10, 30, 50]) {
          const listed = await own.query<{ id: number }>(sql`
            select p.id from projects p where p.id = any(${projects}::bigint[])
               and ${memberOfProject(caller.id, today(own), least)}`);
          t.deepEqual(
            ids(listed),
            projects.filter((id) => inProject(id, caller.id) >= least),
          );
          const reached = await own.query<{ id: number }>(sql`
            select n.id from namespaces n where n.id = any(${groups}::bigint[])
               and ${memberOfGroup(caller.id, today(own), least)}`);
          t.deepEqual(
            ids(reached),
            groups.filter((id) => inGroup(id, caller.id) >= least),
          );
        }
      }
    }),
    { numRuns: 12 },
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
