import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import type { BuiltUser } from '../builders.js';

const app = useApp(test);
const UNAUTHORIZED = { message: '401 Unauthorized' };
const FORM = 'application/x-www-form-urlencoded';

const whoIs = async (headers: Record<string, string>, query = '') =>
  (await app.withHeaders(headers).get(`/user${query}`)).body.username as string | undefined;

async function revoke({ token_id }: BuiltUser) {
  await app.context().query(sql`update personal_access_tokens set revoked = true where id = ${token_id}`);
}

async function block({ id }: BuiltUser) {
  await app.context().query(sql`update users set state = 'blocked' where id = ${id}`);
}

// Contract: rest-2.1
test('a token comes in the PRIVATE-TOKEN header or as private_token, the parameter winning', async (t) => {
  const [one, other] = [await app.build.user(), await app.build.user()];
  t.is(await whoIs({ 'PRIVATE-TOKEN': one.token }), one.username);
  t.is(await whoIs({}, `?private_token=${one.token}`), one.username);
  t.is(await whoIs({ 'PRIVATE-TOKEN': one.token }, `?private_token=${other.token}`), other.username);
  t.is(await whoIs({ 'PRIVATE-TOKEN': one.token }, '?private_token='), one.username);
  const name = { name: 'Made with a token in the body' };
  t.is((await app.anonymous.post('/projects', { ...name, private_token: one.token })).status, 201);
  t.is((await app.anonymous.raw('POST', '/api/v4/projects', `name=Form&private_token=${one.token}`, FORM)).status, 201);
});

// Contract: rest-2.2
test('a token comes as Authorization: Bearer too, in any case of the word', async (t) => {
  const user = await app.build.user();
  t.is(await whoIs({ Authorization: `Bearer ${user.token}` }), user.username);
  t.is(await whoIs({ Authorization: `bearer ${user.token}` }), user.username);
});

// Contract: rest-2.3
test('access_token is for tokens of applications: any other is 401 there', async (t) => {
  const user = await app.build.user();
  t.is((await app.anonymous.get(`/user?access_token=${user.token}`)).status, 401);
  // Also right after the same token was used successfully another way, and in addition to a valid one in a header.
  t.is(await whoIs({ 'PRIVATE-TOKEN': user.token }), user.username);
  t.deepEqual((await app.as(user).get(`/user?access_token=${user.token}`)).body, UNAUTHORIZED);
});

// Contract: rest-2.4
test('a JOB-TOKEN counts as no credential where no endpoint opts in', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  for (const client of [app.withHeaders({ 'JOB-TOKEN': 'anything' }), app.anonymous]) {
    t.is((await client.get(`/projects/${project.id}?job_token=anything`)).status, 200);
    t.deepEqual((await client.get('/user?job_token=anything')).body, UNAUTHORIZED);
  }
});

// Contract: rest-2.5
test('Basic credentials and deploy-token headers are no credentials here', async (t) => {
  const { username, token } = await app.build.user();
  const basic = `Basic ${Buffer.from(`${username}:${token}`).toString('base64')}`;
  t.deepEqual((await app.withHeaders({ Authorization: basic }).get('/user')).body, UNAUTHORIZED);
  t.deepEqual((await app.withHeaders({ 'DEPLOY-TOKEN': 'gdt-anything' }).get('/user')).body, UNAUTHORIZED);
  t.deepEqual((await app.withHeaders({ 'PRIVATE-TOKEN': 'gdt-anything' }).get('/user')).body, UNAUTHORIZED);
});

// Contract: rest-2.6
test('without a credential an endpoint that requires one is 401', async (t) => {
  const { status, body, headers } = await app.anonymous.get('/user');
  t.is(status, 401);
  t.deepEqual(body, UNAUTHORIZED);
  t.is(headers.get('www-authenticate'), null);
});

// Contract: rest-2.7
test('an unknown credential is 401 in every carrier, even on public resources', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const path = `/projects/${project.id}`;
  const answers = [
    await app.withHeaders({ 'PRIVATE-TOKEN': 'nonsense' }).get(path),
    await app.withHeaders({ Authorization: 'Bearer nonsense' }).get(path),
    await app.withHeaders({ Authorization: 'Bearer two words' }).get(path),
    await app.anonymous.get(`${path}?private_token=nonsense`),
    await app.anonymous.get(`${path}?private_token[]=nonsense`),
    await app.anonymous.get(`${path}?private_token=%00`),
    await app.anonymous.get(`${path}?access_token=nonsense`),
  ];
  for (const { status, body } of answers) {
    t.is(status, 401);
    t.deepEqual(body, UNAUTHORIZED);
  }
});

// Contract: rest-2.8, rest-2.12
test('an expired token is told so, also in WWW-Authenticate', async (t) => {
  const expired = await app.build.token(await app.build.user(), { expires_on: '2029-12-31' });
  await revoke(expired);
  const description = 'Token is expired. You can either do re-authorization or token refresh.';
  const { status, body, headers } = await app.as(expired).get('/user');
  t.is(status, 401);
  t.deepEqual(body, { error: 'invalid_token', error_description: description });
  t.is(
    headers.get('www-authenticate'),
    `Bearer realm="The API", error="invalid_token", error_description="${description}"`,
  );
});

// Contract: rest-2.8
test('a token expires on the day that it names', async (t) => {
  const user = await app.build.user();
  t.is((await app.as(await app.build.token(user, { expires_on: '2030-01-01' })).get('/user')).status, 401);
  t.is((await app.as(await app.build.token(user, { expires_on: '2030-01-02' })).get('/user')).status, 200);
});

// Contract: rest-2.9, rest-2.12
test('a revoked token is told so, also in WWW-Authenticate', async (t) => {
  const user = await app.build.user();
  await revoke(user);
  const description = 'Token was revoked. You have to re-authorize from the user.';
  const { status, body, headers } = await app.as(user).get('/user');
  t.is(status, 401);
  t.deepEqual(body, { error: 'invalid_token', error_description: description });
  t.is(
    headers.get('www-authenticate'),
    `Bearer realm="The API", error="invalid_token", error_description="${description}"`,
  );
});

// Contract: rest-2.10
test('too small a scope is 403 with the scopes that the endpoint accepts', async (t) => {
  const project = await app.build.project();
  const narrow = await app.build.token(project.owner, { scopes: ['read_user', 'read_repository', 'k8s_proxy'] });
  const description = 'The request requires higher privileges than provided by the access token.';
  const read = await app.as(narrow).get(`/projects/${project.id}`);
  t.is(read.status, 403);
  t.deepEqual(read.body, { error: 'insufficient_scope', error_description: description, scope: 'api read_api' });
  const reader = await app.build.token(project.owner, { scopes: ['read_api'] });
  const write = await app.as(reader).post('/projects', { name: 'x' });
  t.is(write.status, 403);
  t.deepEqual(write.body, { error: 'insufficient_scope', error_description: description, scope: 'api' });
});

// Contract: rest-2.13
test('read_api opens GET and HEAD', async (t) => {
  const project = await app.build.project();
  const reader = app.as(await app.build.token(project.owner, { scopes: ['read_api'] }));
  t.is((await reader.get(`/projects/${project.id}`)).status, 200);
  t.is((await reader.head(`/projects/${project.id}`)).status, 200);
});

// Contract: rest-2.13, rest-10.1
test('read_user opens /user, /users, /version and /metadata, and nothing of projects', async (t) => {
  const reader = app.as(await app.build.user({ scopes: ['read_user'] }));
  for (const path of ['/user', '/users', '/users/1', '/version', '/metadata'])
    t.not((await reader.get(path)).status, 403, path);
  t.is((await reader.get('/projects')).status, 403);
});

// Contract: rest-2.13
test('scopes for other things are accepted on tokens and open none of these areas', async (t) => {
  for (const scope of [
    'read_repository',
    'write_repository',
    'read_registry',
    'write_registry',
    'create_runner',
    'ai_features',
    'self_rotate',
    'sudo',
    'admin_mode',
    'read_virtual_registry',
    'write_virtual_registry',
  ])
    t.is((await app.as(await app.build.user({ scopes: [scope] })).get('/projects')).status, 403, scope);
});

// Contract: rest-2.13
test("an administrator's api token has administrator rights while admin mode is off", async (t) => {
  const project = await app.build.project();
  const admin = await app.build.user({ admin: true, scopes: ['api'] });
  t.is((await app.as(admin).get(`/projects/${project.id}`)).status, 200);
});

// Contract: rest-2.11
test('a blocked user is 403 with the reason', async (t) => {
  const user = await app.build.user();
  await block(user);
  const { status, body } = await app.as(user).get('/version');
  t.is(status, 403);
  t.deepEqual(body, { message: '403 Forbidden - Your account has been blocked.' });
});

// Contract: rest-2.14
test('an administrator acts as somebody else, by id or username, in header or parameter', async (t) => {
  const admin = await app.build.admin();
  const user = await app.build.user();
  const token = { 'PRIVATE-TOKEN': admin.token };
  t.is(await whoIs({ ...token, Sudo: user.username }), user.username);
  t.is(await whoIs({ ...token, Sudo: user.username.toUpperCase() }), user.username);
  t.is(await whoIs({ ...token, Sudo: String(user.id) }), user.username);
  t.is(await whoIs(token, `?sudo=${user.username}`), user.username);
  t.is(await whoIs(token, `?sudo=${user.id}`), user.username);
  t.is(await whoIs({ ...token, Sudo: admin.username }, `?sudo=${user.id}`), user.username);
  t.is(await whoIs({ ...token, Sudo: '' }), admin.username);
});

// Contract: rest-2.14
test('with sudo the caller has the rights of the other user only', async (t) => {
  const admin = await app.build.admin();
  const user = await app.build.user();
  const project = await app.build.project();
  t.is((await app.as(admin).get(`/projects/${project.id}`)).status, 200);
  t.is((await app.as(admin).with({ Sudo: user.username }).get(`/projects/${project.id}`)).status, 404);
  const response = await app.as(admin).post('/projects', { name: 'Made for somebody', sudo: user.id });
  t.is(response.body.namespace.path, user.username);
});

// Contract: rest-2.15
test('sudo without a credential is 401', async (t) => {
  const { status, body } = await app.withHeaders({ Sudo: 'root' }).get('/projects');
  t.is(status, 401);
  t.deepEqual(body, UNAUTHORIZED);
});

// Contract: rest-2.15
test('sudo by somebody who is no administrator is 403', async (t) => {
  const { status, body } = await app.as(await app.build.user()).get('/projects?sudo=1');
  t.is(status, 403);
  t.deepEqual(body, { message: '403 Forbidden - Must be admin to use sudo' });
});

// Contract: rest-2.15
test('sudo with a token that lacks its scope is 403', async (t) => {
  const admin = await app.build.user({ admin: true, scopes: ['api'] });
  const { status, body } = await app.as(admin).get('/projects?sudo=1');
  t.is(status, 403);
  t.is(body.error, 'insufficient_scope');
  t.is(body.scope, 'sudo');
});

// Contract: rest-2.15
test('sudo as nobody is 404 and names what was asked for', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const name of ['123456789', '99999999999999999999', 'nobody']) {
    const { status, body } = await admin.get(`/projects?sudo=${name}`);
    t.is(status, 404);
    t.deepEqual(body, { message: `404 User with ID or username '${name}' Not Found` });
  }
});

// Contract: rest-2.14
test('sudo as a blocked user is refused like that user [unverified]', async (t) => {
  const user = await app.build.user();
  await block(user);
  const { status, body } = await app.as(await app.build.admin()).get(`/projects?sudo=${user.id}`);
  t.is(status, 403);
  t.deepEqual(body, { message: '403 Forbidden - Your account has been blocked.' });
});
