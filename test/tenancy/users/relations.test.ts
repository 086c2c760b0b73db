import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';

const app = useApp(test);

const NOTHING = { emoji: null, availability: null, message: null, message_html: '', clear_status_at: null };

// Contract: core-1.status
test('people say what they are doing, and everybody reads it by id or username', async (t) => {
  const user = await app.build.user();
  t.deepEqual((await app.as(user).get('/user/status')).body, NOTHING);
  const said = await app
    .as(user)
    .put('/user/status', { emoji: 'coffee', message: 'Tea & <cake>', availability: 'busy' });
  t.is(said.status, 200);
  const status = {
    emoji: 'coffee',
    availability: 'busy',
    message: 'Tea & <cake>',
    message_html: 'Tea &#38; &#60;cake&#62;',
    clear_status_at: null,
  };
  t.deepEqual(said.body, status);
  for (const path of [`/users/${user.id}/status`, `/users/${user.username.toUpperCase()}/status`])
    t.deepEqual((await app.anonymous.get(path)).body, status);
  t.deepEqual((await app.as(user).get('/user/status')).body, status);
  t.deepEqual((await app.anonymous.get('/users/nobody-here/status')).body, { message: '404 User Not Found' });
});

// Contract: core-1.status
test('PUT clears what is not sent, PATCH keeps it, and saying nothing removes the status', async (t) => {
  const user = app.as(await app.build.user());
  await user.put('/user/status', { emoji: 'coffee', message: 'First', availability: 'busy' });
  t.like((await user.patch('/user/status', { message: 'Second' })).body, {
    emoji: 'coffee',
    message: 'Second',
    availability: 'busy',
  });
  t.like((await user.put('/user/status', { message: 'Third' })).body, {
    emoji: 'speech_balloon',
    message: 'Third',
    availability: 'not_set',
  });
  t.deepEqual((await user.put('/user/status', {})).body, NOTHING);
  t.deepEqual((await user.get('/user/status')).body, NOTHING);
});

// Contract: core-1.status
test('a status ends when it was said to', async (t) => {
  const person = await app.build.user();
  const user = app.as(person);
  const { body } = await user.put('/user/status', { message: 'Soon back', clear_status_after: '30_minutes' });
  t.is(Date.parse(body.clear_status_at) - app.clock.now().getTime(), 30 * 60_000);
  t.is((await user.get('/user/status')).body.message, 'Soon back');
  await app.context().query(sql`update user_statuses set clear_at = ${app.clock.now()} where user_id = ${person.id}`);
  t.deepEqual((await user.get('/user/status')).body, NOTHING);
});

// Contract: core-1.status
test('a bad status is refused by name and keeps the one before', async (t) => {
  const user = app.as(await app.build.user());
  await user.put('/user/status', { message: 'Here' });
  t.deepEqual((await user.put('/user/status', { message: 'x'.repeat(101) })).body, {
    message: { message: ['is too long (maximum is 100 characters)'] },
  });
  for (const emoji of ['<b>', 'no_such_emoji', ':coffee:'])
    t.deepEqual((await user.put('/user/status', { emoji })).body, {
      message: { emoji: ['is not a valid emoji name'] },
    });
  for (const emoji of ['+1', 'slight_smile', 'slightly_smiling_face', '100'])
    t.is((await user.put('/user/status', { emoji, message: 'Here' })).body.emoji, emoji);
  t.deepEqual((await user.put('/user/status', { availability: 'asleep' })).body, {
    error: 'availability does not have a valid value',
  });
  t.is((await user.get('/user/status')).body.message, 'Here');
  t.is((await app.anonymous.put('/user/status', { message: 'x' })).status, 401);
  t.is((await app.anonymous.get('/user/status')).status, 401);
});

// Contract: core-1.follows
test('following is 201 with the summary, again 304, and both sides count it', async (t) => {
  const [user, other] = await Promise.all([app.build.user(), app.build.user()]);
  const followed = await app.as(user).post(`/users/${other.id}/follow`);
  t.is(followed.status, 201);
  t.like(followed.body, { id: other.id, username: other.username });
  t.is((await app.as(user).post(`/users/${other.id}/follow`)).status, 304);
  t.like((await app.as(user).get(`/users/${other.id}`)).body, { followers: 1, following: 0, is_followed: true });
  t.like((await app.as(other).get(`/users/${user.id}`)).body, { followers: 0, following: 1, is_followed: false });
  t.like((await app.as(user).get('/user')).body, { following: 1 });
  t.deepEqual(
    (await app.as(user).get(`/users/${other.id}/followers`)).body.map((one: { id: number }) => one.id),
    [user.id],
  );
  t.deepEqual(
    (await app.as(other).get(`/users/${user.id}/following`)).body.map((one: { id: number }) => one.id),
    [other.id],
  );
  t.is((await app.as(user).post(`/users/${other.id}/unfollow`)).status, 201);
  t.is((await app.as(user).post(`/users/${other.id}/unfollow`)).status, 304);
  t.like((await app.as(user).get(`/users/${other.id}`)).body, { followers: 0, is_followed: false });
});

// Contract: core-1.follows
test('nobody follows themselves, nor a private profile, nor without signing in', async (t) => {
  const [user, hidden, admin] = await Promise.all([app.build.user(), app.build.user(), app.build.admin()]);
  await app.as(admin).put(`/users/${hidden.id}`, { private_profile: true });
  t.is((await app.as(user).post(`/users/${user.id}/follow`)).status, 304);
  t.is((await app.as(user).post(`/users/${hidden.id}/follow`)).status, 403);
  t.is((await app.as(user).get(`/users/${hidden.id}/followers`)).status, 403);
  t.is((await app.anonymous.post(`/users/${user.id}/follow`)).status, 401);
  t.is((await app.as(user).post('/users/99999999/follow')).status, 404);
});

// Contract: core-1.memberships
test('memberships of a user are listed for administrators, projects and groups, as long as they last', async (t) => {
  const [user, admin] = await Promise.all([app.build.user(), app.build.admin()]);
  const [group, over] = [await app.build.group(), await app.build.group()];
  const project = await app.build.project({ empty: true });
  await app.build.groupMember(group, 'reporter', user);
  await app.build.groupMember(over, 'owner', user, '2029-12-31');
  await app.build.member(project, 'developer', user);
  const inGroup = { source_id: group.id, source_name: group.name, source_type: 'Namespace', access_level: 20 };
  const inProject = { source_id: project.id, source_name: project.name, source_type: 'Project', access_level: 30 };
  const path = `/users/${user.id}/memberships`;
  const all = await app.as(admin).get(path);
  t.deepEqual(all.body, [inGroup, inProject]);
  t.is(all.headers.get('x-total'), '2');
  t.deepEqual((await app.as(admin).get(`${path}?type=Project`)).body, [inProject]);
  t.deepEqual((await app.as(admin).get(`${path}?type=Namespace`)).body, [inGroup]);
  t.deepEqual((await app.as(admin).get(`${path}?type=Group`)).body, { error: 'type does not have a valid value' });
  t.is((await app.as(user).get(path)).status, 403);
});

// Contract: core-1.list.identity
test('a user is known at other providers, found by that, and it can be taken away', async (t) => {
  const admin = app.as(await app.build.admin());
  const number = unique();
  const response = await admin.post('/users', {
    email: `known${number}@example.com`,
    name: 'Known',
    username: `known${number}`,
    force_random_password: true,
    provider: 'directory',
    extern_uid: `UID-${number}`,
  });
  t.is(response.status, 201);
  const identity = (uid: string, provider = 'directory') => ({ provider, extern_uid: uid, saml_provider_id: null });
  t.deepEqual(response.body.identities, [identity(`UID-${number}`)]);
  const found = async (query: string) =>
    ((await admin.get(`/users?${query}`)).body as { id: number }[]).map(({ id }) => id);
  t.deepEqual(await found(`provider=directory&extern_uid=uid-${number}`), [response.body.id]);
  t.deepEqual(await found(`provider=other&extern_uid=uid-${number}`), []);
  const path = `/users/${response.body.id}`;
  const edited = await admin.put(path, { provider: 'directory', extern_uid: 'new' + number });
  t.deepEqual(edited.body.identities, [identity(`new${number}`)]);
  const second = await admin.put(path, { provider: 'other', extern_uid: 'x' + number });
  t.deepEqual(second.body.identities, [identity(`new${number}`), identity(`x${number}`, 'other')]);
  t.is((await admin.delete(`${path}/identities/other`)).status, 204);
  t.is((await admin.delete(`${path}/identities/other`)).status, 404);
  t.deepEqual((await admin.get(path)).body.identities, [identity(`new${number}`)]);
});

// Contract: core-1.create.identity
test('an identity needs both parts, and belongs to one user', async (t) => {
  const [user, other, admin] = await Promise.all([app.build.user(), app.build.user(), app.build.admin()]);
  const number = unique();
  const put = (id: number, body: object) => app.as(admin).put(`/users/${id}`, body);
  t.deepEqual((await put(user.id, { provider: 'directory' })).body, {
    error: 'extern_uid, provider provide all or none of parameters',
  });
  t.is((await put(user.id, { provider: 'directory', extern_uid: `one${number}` })).status, 200);
  const answer = await put(other.id, { provider: 'directory', extern_uid: `ONE${number}` });
  t.is(answer.status, 400);
  t.deepEqual(answer.body, { message: { 'identities.extern_uid': ['has already been taken'] } });
  t.is((await put(other.id, { provider: 'elsewhere', extern_uid: `one${number}` })).status, 200);
  t.is((await put(other.id, { provider: ' ', extern_uid: 'x' })).status, 400);
});

// Contract: core-1.list.identity
test('identities are told to the user and to administrators alone', async (t) => {
  const [user, other, admin] = await Promise.all([app.build.user(), app.build.user(), app.build.admin()]);
  await app.as(admin).put(`/users/${user.id}`, { provider: 'directory', extern_uid: `own${unique()}` });
  t.is((await app.as(user).get('/user')).body.identities.length, 1);
  t.false('identities' in (await app.as(other).get(`/users/${user.id}`)).body);
  t.is((await app.as(other).delete(`/users/${user.id}/identities/directory`)).status, 403);
  t.is(
    (await app.as(user).get(`/users?provider=directory&extern_uid=nobody&username=${other.username}`)).body.length,
    1,
  );
});
