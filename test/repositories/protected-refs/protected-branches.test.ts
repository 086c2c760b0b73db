import test from 'ava';
import { sql } from 'kysely';
import { mayMergeIntoBranch, mayPushToBranch } from '../../../shared/repositories/repositories/ref-rules.js';
import { findProject } from '../../../shared/tenancy/projects/project.finder.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

async function protectedProject(visibility = 'private') {
  const project = await app.build.project({ visibility });
  const owner = app.as(project.owner);
  const path = (rest = '') => `/projects/${project.id}/protected_branches${rest}`;
  const protect = (name: string, more: object = {}) => owner.post(path(), { name, ...more });
  const createBranch = (user: BuiltUser, branch: string) =>
    app.as(user).post(`/projects/${project.id}/repository/branches`, { branch, ref: 'main' });
  const mayPush = async (user: BuiltUser, branch: string) => {
    const ctx = app.build.contextOf(user);
    return mayPushToBranch(ctx, await findProject(ctx, project.id), branch);
  };
  const mayMerge = async (user: BuiltUser, branch: string) => {
    const ctx = app.build.contextOf(user);
    return mayMergeIntoBranch(ctx, await findProject(ctx, project.id), branch);
  };
  return { project, owner, path, protect, createBranch, mayPush, mayMerge };
}

type Entries = { id: number; access_level: number | null; user_id: number | null }[];
const roles = (entries: Entries) => entries.map((entry) => entry.access_level);

// Contract: protected-branches-7.6, protected-branches-7.7
test('a new project protects its default branch: Maintainers push and merge', async (t) => {
  const { owner, path } = await protectedProject();
  const { status, body } = await owner.get(path());
  t.is(status, 200);
  t.is(body.length, 1);
  const { id, push_access_levels: push, merge_access_levels: merge, ...rest } = body[0];
  t.is(typeof id, 'number');
  t.deepEqual(rest, {
    name: 'main',
    unprotect_access_levels: [],
    allow_force_push: false,
    code_owner_approval_required: false,
    inherited: false,
  });
  t.deepEqual(roles(push), [40]);
  t.deepEqual(roles(merge), [40]);
  t.is(push[0].access_level_description, 'Maintainers');
});

// Contract: protected-branches-7.7
test('a project without a first commit protects nothing yet', async (t) => {
  const project = await app.build.project({ empty: true });
  t.deepEqual((await app.as(project.owner).get(`/projects/${project.id}/protected_branches`)).body, []);
});

// Contract: protected-branches-7.3
test('a branch is protected, 201, with levels of every kind', async (t) => {
  const { protect, project } = await protectedProject();
  const member = await app.build.member(project, 'developer');
  const { status, body } = await protect('release/*', {
    push_access_level: 0,
    merge_access_level: '30',
    unprotect_access_level: 60,
    allowed_to_push: [{ user_id: member.id }],
    allow_force_push: true,
    code_owner_approval_required: true,
  });
  t.is(status, 201);
  t.deepEqual(roles(body.push_access_levels), [0, null]);
  t.is(body.push_access_levels[1].user_id, member.id);
  t.deepEqual(roles(body.merge_access_levels), [30]);
  t.deepEqual(roles(body.unprotect_access_levels), [60]);
  t.is(body.allow_force_push, true);
  t.is(body.code_owner_approval_required, true);
});

// Contract: protected-branches-7.3
test('protecting a branch twice is a conflict', async (t) => {
  const { protect } = await protectedProject();
  const { status, body } = await protect('main');
  t.is(status, 409);
  t.deepEqual(body, { message: "Protected branch 'main' already exists" });
});

// Contract: protected-branches-7.3
test('bad parameters are 400 and bad values 422, as a list', async (t) => {
  const { owner, path, protect } = await protectedProject();
  t.deepEqual((await owner.post(path(), {})).body, { error: 'name is missing' });
  t.deepEqual((await protect('x', { push_access_level: 20 })).body, {
    error: 'push_access_level does not have a valid value',
  });
  t.deepEqual((await protect('x', { unprotect_access_level: 0 })).body, {
    error: 'unprotect_access_level does not have a valid value',
  });
  const blank = await protect('');
  t.is(blank.status, 422);
  t.deepEqual(blank.body, { message: ["Name can't be blank"] });
  const stranger = await app.build.user();
  const outside = await protect('x', { allowed_to_merge: [{ user_id: stranger.id }] });
  t.is(outside.status, 422);
  t.deepEqual(outside.body, { message: ['Merge access levels user is not a member of the project'] });
});

// Contract: protected-branches-7.1, protected-branches-7.2
test('protected branches are listed by id, searched by name, and read by their exact text', async (t) => {
  const { owner, path, protect } = await protectedProject();
  await protect('release/*');
  await protect('hot_fix');
  const names = async (query: string) =>
    (await owner.get(path(query))).body.map((branch: { name: string }) => branch.name);
  t.deepEqual(await names(''), ['main', 'release/*', 'hot_fix']);
  t.deepEqual(await names('?search=e'), ['release/*']);
  t.deepEqual(await names('?search=_'), ['hot_fix']);
  t.is((await owner.get(path('/release%2F%2A'))).body.name, 'release/*');
  const missing = await owner.get(path('/release%2F1'));
  t.is(missing.status, 404);
  t.deepEqual(missing.body, { message: '404 Not found' });
});

// Contract: protected-branches-7.8
test('Developers read protected branches and Maintainers set them, an unverified point decided as newer servers do', async (t) => {
  const { project, path } = await protectedProject();
  const statuses = async (user: BuiltUser) => {
    const client = app.as(user);
    return [
      (await client.get(path())).status,
      (await client.get(path('/main'))).status,
      (await client.post(path(), {})).status,
      (await client.patch(path('/none'), {})).status,
      (await client.delete(path('/none'))).status,
    ];
  };
  t.deepEqual(await statuses(await app.build.user()), [404, 404, 404, 404, 404]);
  t.deepEqual(await statuses(await app.build.member(project, 'reporter')), [403, 403, 403, 403, 403]);
  t.deepEqual(await statuses(await app.build.member(project, 'developer')), [200, 200, 403, 403, 403]);
  t.deepEqual(await statuses(await app.build.member(project, 'maintainer')), [200, 200, 400, 404, 404]);
  const open = await protectedProject('public');
  t.is((await app.anonymous.get(open.path())).status, 403);
});

// Contract: protected-branches-7.5
test('unprotecting answers 204', async (t) => {
  const { owner, path } = await protectedProject();
  const { status, text } = await owner.delete(path('/main'));
  t.is(status, 204);
  t.is(text, '');
  t.is((await owner.delete(path('/main'))).status, 404);
});

// Contract: protected-branches-7.5
test('where a rule names who may unprotect, the Maintainer role alone does not do', async (t) => {
  const { project, owner, path, protect } = await protectedProject();
  await protect('safe', { unprotect_access_level: 60 });
  t.is((await owner.delete(path('/safe'))).status, 403);
  t.is((await owner.patch(path('/safe'), { allow_force_push: true })).status, 403);
  t.is((await app.as(await app.build.admin()).delete(path('/safe'))).status, 204);
  const maintainer = await app.build.member(project, 'maintainer');
  await protect('mine', { allowed_to_unprotect: [{ user_id: maintainer.id }] });
  t.is((await owner.delete(path('/mine'))).status, 403);
  t.is((await app.as(maintainer).delete(path('/mine'))).status, 204);
});

// Contract: protected-branches-7.4
test('editing adds entries, changes those named by id, and removes those marked', async (t) => {
  const { project, owner, path } = await protectedProject();
  const member = await app.build.member(project, 'developer');
  const { body: before } = await owner.get(path('/main'));
  const push = before.push_access_levels[0].id;
  const added = await owner.patch(path('/main'), {
    allowed_to_push: [{ user_id: member.id }, { access_level: 40 }],
    allow_force_push: true,
  });
  t.is(added.status, 200);
  t.deepEqual(roles(added.body.push_access_levels), [40, null], 'the role was there already');
  t.is(added.body.allow_force_push, true);
  const changed = await owner.patch(path('/main'), { allowed_to_push: [{ id: push, access_level: 30 }] });
  t.deepEqual(roles(changed.body.push_access_levels), [30, null]);
  t.is(changed.body.push_access_levels[0].id, push);
  const removed = await owner.patch(path('/main'), {
    allowed_to_push: [{ id: push, _destroy: true }],
    code_owner_approval_required: true,
  });
  t.deepEqual(roles(removed.body.push_access_levels), [null]);
  t.is(removed.body.code_owner_approval_required, true);
  t.deepEqual(roles(removed.body.merge_access_levels), [40], 'untouched');
});

// Contract: protected-branches-7.4
test('editing an entry of another rule is 404, and a stranger as entry 422', async (t) => {
  const { owner, path, protect } = await protectedProject();
  const { body: other } = await protect('other');
  const foreign = { id: other.push_access_levels[0].id, _destroy: true };
  t.is((await owner.patch(path('/main'), { allowed_to_push: [foreign] })).status, 404);
  t.is((await owner.patch(path('/main'), { allowed_to_merge: [{ user_id: 999_999 }] })).status, 422);
  t.is((await owner.patch(path('/main'), { allowed_to_merge: [{}] })).status, 422);
  t.deepEqual(roles((await owner.get(path('/other'))).body.push_access_levels), [40]);
});

// Contract: protected-branches-4.create
test('creating a branch that a pattern protects takes its push rule', async (t) => {
  const { project, protect, createBranch } = await protectedProject();
  const developer = await app.build.member(project, 'developer');
  await protect('release/*');
  const { status, body } = await createBranch(developer, 'release/1');
  t.is(status, 400);
  t.deepEqual(body, { message: 'You are not allowed to create protected branches on this project.' });
  t.is((await createBranch(developer, 'feature/1')).status, 201);
  t.is((await createBranch(await app.build.member(project, 'maintainer'), 'release/1')).status, 201);
});

// Contract: protected-branches-4.serializer
test('branches show what their protection lets the caller do', async (t) => {
  const { project, owner, protect, createBranch } = await protectedProject();
  const developer = await app.build.member(project, 'developer');
  await createBranch(project.owner, 'dev');
  await createBranch(project.owner, 'free');
  await protect('dev', { push_access_level: 30, merge_access_level: 30 });
  const visibleBranches = async (user: BuiltUser) => {
    const { body } = await app.as(user).get(`/projects/${project.id}/repository/branches`);
    return Object.fromEntries(
      body.map((branch: Record<string, unknown>) => [
        branch.name,
        [branch.protected, branch.developers_can_push, branch.developers_can_merge, branch.can_push],
      ]),
    );
  };
  t.deepEqual(await visibleBranches(developer), {
    dev: [true, true, true, true],
    free: [false, false, false, true],
    main: [true, false, false, false],
  });
  t.deepEqual((await visibleBranches(project.owner)).main, [true, false, false, true]);
  t.is((await owner.get(`/projects/${project.id}/repository/branches/main`)).body.protected, true);
});

// Contract: protected-branches-rules
test('pushing takes the push rule and merging the merge rule of every kind of entry', async (t) => {
  const { project, protect, mayPush, mayMerge } = await protectedProject();
  const developer = await app.build.member(project, 'developer');
  const chosen = await app.build.member(project, 'developer');
  const reporter = await app.build.member(project, 'reporter');
  await protect('a', { push_access_level: 0, merge_access_level: 30 });
  t.deepEqual([await mayPush(project.owner, 'a'), await mayMerge(developer, 'a')], [false, true]);
  await protect('b', { push_access_level: 40, allowed_to_push: [{ user_id: chosen.id }] });
  t.deepEqual(
    [await mayPush(developer, 'b'), await mayPush(chosen, 'b'), await mayMerge(chosen, 'b')],
    [false, true, false],
  );
  await protect('c', { push_access_level: 60 });
  t.deepEqual([await mayPush(project.owner, 'c'), await mayPush(await app.build.admin(), 'c')], [false, true]);
  t.false(await mayPush(reporter, 'free'), 'an unprotected branch takes the Developer role');
  t.true(await mayPush(developer, 'free'));
});

// Contract: protected-tags-3.7
test.serial('without Premium the lists of entries are ignored when a branch is protected or edited', async (t) => {
  const { project, owner, path, protect } = await protectedProject();
  const member = await app.build.member(project, 'developer');
  await app.set({ plan: 'free' });
  t.teardown(() => app.set({ plan: 'ultimate' }));
  const { body } = await protect('x', { push_access_level: 30, allowed_to_push: [{ user_id: member.id }] });
  t.deepEqual(roles(body.push_access_levels), [30]);
  const edited = await owner.patch(path('/x'), {
    allowed_to_merge: [{ user_id: member.id }, { access_level: 30 }],
    allow_force_push: true,
  });
  t.deepEqual(roles(edited.body.merge_access_levels), [40]);
  t.is(edited.body.allow_force_push, true);
});

// Contract: protected-tags-2.3
test('a group entry admits the members of the group and of those above it', async (t) => {
  const { project, protect, mayPush } = await protectedProject();
  const member = await app.build.member(project, 'developer');
  const outsider = await app.build.member(project, 'developer');
  const now = app.clock.now();
  // The project moves into a group below another one, as its members' entries then may name both.
  const [parent, child] = await app.context().query<{ id: number }>(sql`
    insert into namespaces (kind, name, path, visibility, created_at, updated_at)
    values ('group', 'Parent', 'parent', 'private', ${now}, ${now}), ('group', 'Child', 'child', 'private', ${now}, ${now})
    returning id`);
  await app.context().query(sql`
    update namespaces set parent_id = ${parent?.id}, traversal_ids = ${[parent?.id, child?.id]}::bigint[] where id = ${child?.id}`);
  await app.context().query(sql`
    insert into routes (namespace_id, path, name) values (${child?.id}, ${`parent/child${child?.id}`}, 'Child')`);
  await app.context().query(sql`update projects set namespace_id = ${child?.id} where id = ${project.id}`);
  await app.build.member(project, 'owner', project.owner);
  await app.context().query(sql`
    insert into group_members (namespace_id, user_id, access_level, created_at)
    values (${parent?.id}, ${member.id}, 30, ${now})`);
  const { status } = await protect('grouped', { push_access_level: 0, allowed_to_push: [{ group_id: child?.id }] });
  t.is(status, 201);
  t.true(await mayPush(member, 'grouped'));
  t.false(await mayPush(outsider, 'grouped'));
});
