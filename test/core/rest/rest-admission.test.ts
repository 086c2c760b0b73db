import test from 'ava';
import { useApp } from '../app.js';
import type { Client } from '../client.js';
import { signIn } from '../signed-in.js';

const app = useApp(test, [], { limitsOn: true });

const observed = ({ headers }: { headers: Headers }) => [
  headers.get('ratelimit-name'),
  headers.get('ratelimit-observed'),
];

const settings = {
  throttle_authenticated_api_enabled: true,
  throttle_unauthenticated_api_enabled: true,
  notes_create_limit: 300,
  token_guess_limit: 20,
};

let hours = 0;
/** Each test begins in an hour of its own, so that no period is shared. */
test.serial.beforeEach(async () => {
  app.clock.set(new Date(Date.UTC(2030, 0, 1, (hours += 1))).toISOString());
  await app.set(settings);
});

const setStatus = (client: Client, body: object) => client.put('/user/status', body);

// Contract: limits-13
test.serial('a request with a body counts once, for whom its head names, whoever its body names', async (t) => {
  const [one, two] = [await app.build.user(), await app.build.user()];
  const answer = await setStatus(app.as(one), { private_token: two.token, message: 'a' });
  t.is(answer.status, 200);
  t.deepEqual(observed(answer), ['throttle_authenticated_api', '1']);
  t.deepEqual(observed(await setStatus(app.as(one), { message: 'b' })), ['throttle_authenticated_api', '2']);
  t.deepEqual(observed(await app.as(two).get('/user')), ['throttle_authenticated_api', '1']);
});

// Contract: limits-13
test.serial('where the head names nobody, a request counts once, for whom its body names', async (t) => {
  const user = await app.build.user();
  const answer = await setStatus(app.anonymous, { private_token: user.token, message: 'a' });
  t.is(answer.status, 200);
  t.deepEqual(observed(answer), ['throttle_authenticated_api', '1']);
  t.deepEqual(observed(await setStatus(app.anonymous, { message: 'a' })), ['throttle_unauthenticated_api', '1']);
  t.deepEqual(observed(await app.as(user).get('/user')), ['throttle_authenticated_api', '2']);
});

test.serial('the limit of an action counts once, for the caller whom the body names', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const other = await app.build.user();
  const owner = app.as(project.owner);
  const issue = await owner.post(`/projects/${project.id}/issues`, { title: 'a' });
  const note = (client: Client, more: object = {}) =>
    client.post(`/projects/${project.id}/issues/${issue.body.iid}/notes`, { body: 'a', ...more });
  await app.set({ notes_create_limit: 2 });
  t.is((await note(owner, { private_token: other.token })).status, 201);
  t.is((await note(app.as(other))).status, 201);
  t.is((await note(app.as(other))).status, 429);
  t.is((await note(owner)).status, 201);
  t.is((await note(owner)).status, 201);
  t.is((await note(owner)).status, 429);
});

// Contract: limits-14
test.serial('a wrong token counts as one guess, in the head and in the body of a request', async (t) => {
  const user = await app.build.user();
  await app.set({ token_guess_limit: 2 });
  const inHead = () => setStatus(app.withHeaders({ 'PRIVATE-TOKEN': 'glpat-head-wrong' }), { message: 'a' });
  const inBody = (client: Client) => setStatus(client, { private_token: 'glpat-body-wrong', message: 'a' });
  const statuses = async (send: () => Promise<{ status: number }>) => [
    (await send()).status,
    (await send()).status,
    (await send()).status,
  ];
  t.deepEqual(await statuses(inHead), [401, 401, 429]);
  t.deepEqual(await statuses(() => inBody(app.as(user))), [401, 401, 429]);
});

// Contract: rest-2.1
test.serial('who asks is decided again where the body says so: token, scope and sudo', async (t) => {
  const [user, admin] = [await app.build.user(), await app.build.admin()];
  const reader = await app.build.token(user, { scopes: ['read_api'] });
  const narrow = await setStatus(app.as(admin), { private_token: reader.token, message: 'a' });
  t.is(narrow.status, 403);
  t.is(narrow.body.error, 'insufficient_scope');
  const sudo = await setStatus(app.as(user), { sudo: admin.username, message: 'a' });
  t.is(sudo.status, 403);
  t.deepEqual(sudo.body, { message: '403 Forbidden - Must be admin to use sudo' });
  t.is((await setStatus(app.anonymous, { sudo: user.username, message: 'a' })).status, 401);
  const both = await setStatus(app.as(user), { private_token: admin.token, sudo: user.username, message: 'both' });
  t.is(both.status, 200);
  t.is((await app.as(user).get('/user/status')).body.message, 'both');
});

// Contract: rest-2.7
test.serial('what the head alone refuses is refused whatever the body names', async (t) => {
  const user = await app.build.user();
  const reader = await app.build.token(user, { scopes: ['read_api'] });
  t.is((await setStatus(app.as(reader), { private_token: user.token, message: 'a' })).status, 403);
  const wrong = app.withHeaders({ 'PRIVATE-TOKEN': 'glpat-nobody' });
  t.is((await setStatus(wrong, { private_token: user.token, message: 'a' })).status, 401);
});

test.serial('a session without its CSRF token is nobody, unless the body names a caller', async (t) => {
  const user = await app.build.user();
  const { cookie, csrf } = await signIn(app, user);
  const session = app.withHeaders({ Cookie: cookie });
  t.is((await setStatus(session, { message: 'a' })).status, 401);
  t.is((await setStatus(session, { private_token: user.token, message: 'b' })).status, 200);
  t.is((await setStatus(session.with({ 'X-CSRF-Token': csrf }), { message: 'c' })).status, 200);
});
