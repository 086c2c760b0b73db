import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);

async function protectedProject(visibility = 'private') {
  const project = await app.build.project({ visibility });
  const owner = app.as(project.owner);
  const path = (rest = '') => `/projects/${project.id}/protected_tags${rest}`;
  const protect = (name: string, more: object = {}) => owner.post(path(), { name, ...more });
  const createTag = (user: BuiltUser, tag_name: string) =>
    app.as(user).post(`/projects/${project.id}/repository/tags`, { tag_name, ref: 'main' });
  return { project, owner, path, protect, createTag };
}

interface Level {
  access_level: number | null;
  access_level_description: string;
  user_id: number | null;
  group_id: number | null;
}

const levels = (body: { create_access_levels: Level[] }) =>
  body.create_access_levels.map((level) => level.access_level);

// Contract: protected-tags-1.3, interface-2.9.fields, interface-4.9.create
test('a tag is protected, 201 with its name and levels, and nothing more', async (t) => {
  const { protect } = await protectedProject();
  const { status, body } = await protect('*-stable');
  t.is(status, 201);
  t.deepEqual(Object.keys(body), ['name', 'create_access_levels']);
  t.is(body.name, '*-stable');
  t.is(body.create_access_levels.length, 1);
  const { id, ...level } = body.create_access_levels[0];
  t.is(typeof id, 'number');
  t.deepEqual(level, {
    access_level: 40,
    access_level_description: 'Maintainers',
    user_id: null,
    group_id: null,
  });
});

// Contract: protected-tags-1.1, protected-tags-1.2, protected-tags-4.2, interface-4.9.list
test('the list is ordered by id and paged, and one is read by its exact text', async (t) => {
  const { owner, path, protect } = await protectedProject();
  for (const name of ['b', 'a', 'v*']) await protect(name);
  const { status, body, headers } = await owner.get(path('?per_page=2'));
  t.is(status, 200);
  t.deepEqual(
    body.map((tag: { name: string }) => tag.name),
    ['b', 'a'],
  );
  t.is(headers.get('x-total'), '3');
  t.is((await owner.get(path('/v*'))).body.name, 'v*');
  t.is((await owner.get(path('/v%2A'))).body.name, 'v*');
  const { status: missing, body: message } = await owner.get(path('/v1.0'));
  t.is(missing, 404);
  t.deepEqual(message, { message: '404 Not found' });
});

// Contract: protected-tags-4.1, interface-4.9.get
test('names with slashes, stars and dots are one encoded segment', async (t) => {
  const { owner, path, protect } = await protectedProject();
  for (const name of ['release/*', 'v1.0', 'a b']) {
    t.is((await protect(name)).status, 201);
    t.is((await owner.get(path(`/${encodeURIComponent(name)}`))).body.name, name);
  }
  t.is((await owner.get(path('/release%2F%2A'))).body.name, 'release/*');
  t.deepEqual((await owner.get(path('/release/*'))).body, { error: '404 Not Found' });
  t.is((await owner.delete(path('/release%2F*'))).status, 204);
  t.is((await owner.get(path('/release%2F*'))).status, 404);
});

// Contract: protected-tags-1.4, interface-4.9.unprotect
test('unprotecting answers 204, and 404 when there is nothing to unprotect', async (t) => {
  const { owner, path, protect } = await protectedProject();
  await protect('v*');
  const { status, text } = await owner.delete(path('/v*'));
  t.is(status, 204);
  t.is(text, '');
  t.is((await owner.delete(path('/v*'))).status, 404);
});

// Contract: protected-tags-6.1
test('unprotecting with a stale If-Unmodified-Since is refused', async (t) => {
  const { owner, path, protect } = await protectedProject();
  await protect('v*');
  const early = await owner.with({ 'If-Unmodified-Since': 'Mon, 01 Jan 2029 00:00:00 GMT' }).delete(path('/v*'));
  t.is(early.status, 412);
  t.deepEqual(early.body, { message: '412 Precondition Failed' });
  const late = await owner.with({ 'If-Unmodified-Since': 'Fri, 01 Jan 2038 00:00:00 GMT' }).delete(path('/v*'));
  t.is(late.status, 204);
});

// Contract: protected-tags-1.5
test('there is no way to edit a protected tag', async (t) => {
  const { owner, path, protect } = await protectedProject();
  await protect('v*');
  t.is((await owner.put(path('/v*'), {})).status, 405);
  t.is((await owner.patch(path('/v*'), {})).status, 405);
});

// Contract: protected-tags-1.6
test('all of it takes the Maintainer role, reads included, checked before parameters', async (t) => {
  const { project, path, protect } = await protectedProject();
  await protect('v*');
  const statuses = async (user: BuiltUser) => {
    const client = app.as(user);
    return [
      (await client.get(path())).status,
      (await client.get(path('/v*'))).status,
      (await client.post(path(), {})).status,
      (await client.delete(path('/none'))).status,
    ];
  };
  t.deepEqual(await statuses(await app.build.member(project, 'developer')), [403, 403, 403, 403]);
  t.deepEqual(await statuses(await app.build.member(project, 'guest')), [403, 403, 403, 403]);
  t.deepEqual(await statuses(await app.build.member(project, 'maintainer')), [200, 200, 400, 404]);
  t.deepEqual(await statuses(await app.build.admin()), [200, 200, 400, 404]);
  t.deepEqual(await statuses(await app.build.user()), [404, 404, 404, 404]);
});

// Contract: protected-tags-1.7
test('anonymous callers get 403 on a public project and 404 on a private one', async (t) => {
  const open = await protectedProject('public');
  const { status, body } = await app.anonymous.get(open.path());
  t.is(status, 403);
  t.deepEqual(body, { message: '403 Forbidden' });
  const closed = await protectedProject();
  t.deepEqual((await app.anonymous.get(closed.path())).body, { message: '404 Project Not Found' });
});

// Contract: protected-tags-3.1
test('a name is required and must not be blank', async (t) => {
  const { owner, path, protect } = await protectedProject();
  const missing = await owner.post(path(), {});
  t.is(missing.status, 400);
  t.deepEqual(missing.body, { error: 'name is missing' });
  const blank = await protect(' ');
  t.is(blank.status, 422);
  t.deepEqual(blank.body, { message: ["Name can't be blank"] });
});

// Contract: protected-tags-3.5
test('a name is protected once in a project, and its case counts', async (t) => {
  const { protect } = await protectedProject();
  await protect('v1');
  const { status, body } = await protect('v1');
  t.is(status, 422);
  t.deepEqual(body, { message: ['Name has already been taken'] });
  t.is((await protect('V1')).status, 201);
  t.is((await (await protectedProject()).protect('v1')).status, 201);
});

// Contract: protected-tags-3.2, interface-2.9.levels
test('the level is 0, 30 or 40, as a number or as digits', async (t) => {
  const { protect } = await protectedProject();
  t.deepEqual(levels((await protect('a', { create_access_level: '30' })).body), [30]);
  t.deepEqual(levels((await protect('b', { create_access_level: 0 })).body), [0]);
  t.deepEqual(levels((await protect('c', { create_access_level: 40 })).body), [40]);
  for (const level of [20, 50, 60]) {
    const { status, body } = await protect('x', { create_access_level: level });
    t.is(status, 400);
    t.deepEqual(body, { error: 'create_access_level does not have a valid value' });
  }
  t.deepEqual((await protect('x', { allowed_to_create: [{ access_level: 60 }] })).body, {
    error: 'allowed_to_create[0][access_level] does not have a valid value',
  });
});

// Contract: protected-tags-2.1
test('levels are described in words', async (t) => {
  const { protect } = await protectedProject();
  const { body } = await protect('v*', {
    allowed_to_create: [{ access_level: 0 }, { access_level: 30 }, { access_level: 40 }],
  });
  t.deepEqual(
    body.create_access_levels.map((level: Level) => level.access_level_description),
    ['No one', 'Developers + Maintainers', 'Maintainers'],
  );
});

// Contract: protected-tags-2.2, protected-tags-3.4, interface-4.9.create
test('the explicit level comes first, the default only when nothing is given, and equal levels collapse', async (t) => {
  const { protect, project } = await protectedProject();
  const member = await app.build.member(project, 'developer');
  const { body } = await protect('a', {
    create_access_level: 30,
    allowed_to_create: [{ user_id: member.id }, { access_level: 30 }],
  });
  t.deepEqual(levels(body), [30, null]);
  t.like(body.create_access_levels[1], { user_id: member.id, access_level_description: member.name });
  t.deepEqual(levels((await protect('b', { allowed_to_create: [{ access_level: 30 }] })).body), [30]);
  t.deepEqual(levels((await protect('c', { allowed_to_create: [] })).body), [40], 'an empty list is not given');
});

// Contract: protected-tags-3.3
test('entries come in form notation as well', async (t) => {
  const { project, path } = await protectedProject();
  const form = `name=v*&allowed_to_create[][user_id]=${project.owner.id}&allowed_to_create[][access_level]=30`;
  const { status, body } = await app
    .as(project.owner)
    .raw('POST', `/api/v4${path()}`, form, 'application/x-www-form-urlencoded');
  t.is(status, 201);
  t.deepEqual(levels(body), [null], 'one entry, which names a user before a role');
});

// Contract: protected-tags-3.6
test('a user who is no member, a group without access and an unknown deploy key are 422, in unverified words', async (t) => {
  const { protect } = await protectedProject();
  const stranger = await app.build.user();
  const sendInvalid = async (entry: object) => {
    const { status, body } = await protect('v*', { allowed_to_create: [entry] });
    t.is(status, 422);
    return body.message;
  };
  t.deepEqual(await sendInvalid({ user_id: stranger.id }), [
    'Create access levels user is not a member of the project',
  ]);
  t.deepEqual(await sendInvalid({ group_id: 999_999 }), [
    'Create access levels group does not have access to the project',
  ]);
  t.deepEqual(await sendInvalid({ deploy_key_id: 1 }), [
    'Create access levels deploy key is not enabled for this project',
  ]);
  t.deepEqual(await sendInvalid({}), [
    'Create access levels must name a user, a group, a deploy key or an access level',
  ]);
});

// Contract: protected-tags-5.4
test('a protected tag is created by those whom an entry admits, and refused to others with 400', async (t) => {
  const { project, protect, createTag } = await protectedProject();
  const developer = await app.build.member(project, 'developer');
  const chosen = await app.build.member(project, 'developer');
  const maintainer = await app.build.member(project, 'maintainer');
  await protect('v*', { create_access_level: 40, allowed_to_create: [{ user_id: chosen.id }] });
  const { status, body } = await createTag(developer, 'v1');
  t.is(status, 400);
  t.deepEqual(body, { message: 'You are not allowed to create this tag as it is protected.' });
  t.is((await createTag(chosen, 'v1')).status, 201);
  t.is((await createTag(maintainer, 'v2')).status, 201);
  t.is((await createTag(developer, 'x1')).status, 201, 'no rule matches');
});

// Contract: protected-tags-5.3
test('level 0 admits nobody, administrators included, an unverified point decided as newer servers do', async (t) => {
  const { project, protect, createTag } = await protectedProject();
  await protect('v*', { create_access_level: 0 });
  t.is((await createTag(project.owner, 'v1')).status, 400);
  t.is((await createTag(await app.build.admin(), 'v1')).status, 400);
  await protect('v1*', { create_access_level: 40 });
  t.is((await createTag(await app.build.admin(), 'v1')).status, 201, 'administrators pass role entries');
});

// Contract: protected-tags-5.2
test('of several matching rules any entry of any rule admits', async (t) => {
  const { project, protect, createTag } = await protectedProject();
  const developer = await app.build.member(project, 'developer');
  await protect('v*', { create_access_level: 40 });
  t.is((await createTag(developer, 'v1.0')).status, 400);
  await protect('*.0', { create_access_level: 30 });
  t.is((await createTag(developer, 'v1.0')).status, 201);
  t.is((await createTag(developer, 'v1.1')).status, 400);
});

// Contract: protected-tags-5.1
test('a star is any run of characters, everything else is literal, anchored at both ends and case-sensitive', async (t) => {
  const { project, protect, createTag, owner } = await protectedProject();
  const developer = await app.build.member(project, 'developer');
  const patterns = ['rel/*/end', 'a*b*c', 'v*', '*rc', 'exact', 'a_b', 'p%q'];
  for (const name of patterns) await protect(name, { create_access_level: 40 });
  const rejection = { message: 'You are not allowed to create this tag as it is protected.' };
  const held = ['rel/x/end', 'rel/a/b/end', 'abc', 'a/b-b/c', 'v', 'v1', 'rc', '1-rc', 'exact', 'a_b', 'p%q'];
  for (const name of held) {
    const { status, body } = await createTag(developer, name);
    t.deepEqual([status, body], [400, rejection], name);
  }
  const free = ['rel/x/ends', 'xrel/x/end', 'Rel/x/end', 'rel/end', 'abcd', 'ac', 'V1', '1-rc1', 'Exact', 'exactly'];
  for (const name of [...free, 'inexact', 'axb', 'pxq', 'a_bd', 'A_b'])
    t.is((await createTag(developer, name)).status, 201, name);
  await owner.post(`/projects/${project.id}/protected_tags`, { name: '*' });
  t.deepEqual((await createTag(developer, 'anything/at/all')).body, rejection);
});

// Contract: protected-tags-5.3
test('a user entry counts only while the user may push to the project', async (t) => {
  const { project, protect, createTag } = await protectedProject();
  const chosen = await app.build.member(project, 'developer');
  await protect('v*', { create_access_level: 0, allowed_to_create: [{ user_id: chosen.id }] });
  t.is((await createTag(chosen, 'v1')).status, 201);
  await app.build.member(project, 'reporter', chosen);
  t.is((await createTag(chosen, 'v2')).status, 403);
});

// Contract: protected-tags-4.3
test('tags say whether a rule protects them', async (t) => {
  const { project, owner, protect, createTag } = await protectedProject();
  for (const name of ['v1', 'x1']) await createTag(project.owner, name);
  await protect('v*');
  const { body } = await owner.get(`/projects/${project.id}/repository/tags`);
  t.deepEqual(Object.fromEntries(body.map((tag: { name: string; protected: boolean }) => [tag.name, tag.protected])), {
    v1: true,
    x1: false,
  });
  t.true((await owner.get(`/projects/${project.id}/repository/tags/v1`)).body.protected);
});

// Contract: protected-tags-5.7
test('a deleted user takes their entries along, and a rule without entries admits nobody', async (t) => {
  const { project, owner, path, protect, createTag } = await protectedProject();
  const chosen = await app.build.member(project, 'developer');
  await protect('v*', { allowed_to_create: [{ user_id: chosen.id }] });
  await app.context().query(sql`delete from users where id = ${chosen.id}`);
  t.deepEqual((await owner.get(path('/v*'))).body.create_access_levels, []);
  t.is((await createTag(project.owner, 'v1')).status, 400);
});

// Contract: protected-tags-5.5
test('a protected tag is deleted by Maintainers, an unprotected one by Developers', async (t) => {
  const { project, protect, createTag } = await protectedProject();
  const developer = await app.build.member(project, 'developer');
  for (const name of ['v1', 'x1']) await createTag(project.owner, name);
  await protect('v*', { create_access_level: 30 });
  const remove = async (user: BuiltUser, name: string) =>
    (await app.as(user).delete(`/projects/${project.id}/repository/tags/${name}`)).status;
  t.is(await remove(developer, 'v1'), 403);
  t.is(await remove(developer, 'x1'), 204);
  t.is(await remove(await app.build.member(project, 'maintainer'), 'v1'), 204);
});

// Contract: protected-tags-3.7
test.serial(
  'without Premium entries of users and groups are ignored; those that are there rest and come back with the plan',
  async (t) => {
    const { project, owner, path, protect, createTag } = await protectedProject();
    const chosen = await app.build.member(project, 'developer');
    await protect('v*', { allowed_to_create: [{ user_id: chosen.id }] });
    await app.set({ plan: 'free' });
    t.teardown(() => app.set({ plan: 'ultimate' }));
    t.deepEqual(levels((await protect('a', { allowed_to_create: [{ user_id: chosen.id }] })).body), [40]);
    t.deepEqual(
      levels((await protect('b', { allowed_to_create: [{ group_id: 9 }, { access_level: 30 }] })).body),
      [30],
    );
    t.is((await createTag(chosen, 'v1')).status, 400);
    t.deepEqual((await owner.get(path('/v*'))).body.create_access_levels, []);
    await app.set({ plan: 'premium' });
    t.is((await createTag(chosen, 'v1')).status, 201);
    t.is((await owner.get(path('/v*'))).body.create_access_levels[0].user_id, chosen.id);
  },
);

test('an archived project keeps its protected tags readable and refuses to change them', async (t) => {
  const { project, owner, path, protect } = await protectedProject();
  await protect('v*');
  await app.context().query(sql`update projects set archived = true where id = ${project.id}`);
  t.is((await owner.get(path())).status, 200);
  t.is((await protect('x*')).status, 403);
  t.is((await owner.delete(path('/v*'))).status, 403);
});
