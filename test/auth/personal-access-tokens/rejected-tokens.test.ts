import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { rawRequest } from '../../core/raw-http.js';

const app = useApp(test);
const UNKNOWN = { message: '401 Unauthorized' };

/** Every way to send a token that takes access tokens. */
const carriers: [string, (token: string) => ReturnType<ReturnType<typeof app.withHeaders>['get']>][] = [
  ['PRIVATE-TOKEN', (token) => app.withHeaders({ 'PRIVATE-TOKEN': token }).get('/user')],
  ['Bearer', (token) => app.withHeaders({ Authorization: `Bearer ${token}` }).get('/user')],
  ['private_token', (token) => app.anonymous.get(`/user?private_token=${encodeURIComponent(token)}`)],
];

/** Invalid tokens derived from a valid one. */
const spoilt = (token: string): string[] => [
  token.slice(0, -1),
  token.slice(1),
  token.slice(4),
  token + token,
  `${token}=`,
  `${token},${token}`,
  `${token} ${token}`,
  token.toUpperCase() === token ? token.toLowerCase() : token.toUpperCase(),
  `x${token}`,
  `${token}\u00e9`,
];

// Contract: core-2.bad
test('a token that was cut, doubled or changed is unknown in every carrier', async (t) => {
  const user = await app.build.user();
  for (const [carrier, send] of carriers) {
    for (const token of spoilt(user.token)) {
      const { status, body } = await send(token);
      t.is(status, 401, `${carrier}: ${token}`);
      t.deepEqual(body, UNKNOWN);
    }
    t.is((await send(user.token)).status, 200, carrier);
  }
});

// Contract: core-2.bad
test('a digest out of the database, a deploy token and a password open nothing', async (t) => {
  const user = await app.build.user();
  const [row] = await app.context().query<{ hex: string; base64: string }>(sql`
    select encode(digest, 'hex') as hex, encode(digest, 'base64') as base64 from personal_access_tokens
     where id = ${user.token_id}`);
  for (const token of [row?.hex, row?.base64, 'gdt-abcdefghijklmnopqrstuvwxyz', user.username, String(user.id)])
    t.deepEqual((await app.withHeaders({ 'PRIVATE-TOKEN': token as string }).get('/user')).body, UNKNOWN);
});

// Contract: core-2.bad
test('a token in a carrier that takes none of its kind is refused, and counts as no credential in those that none reads', async (t) => {
  const user = await app.build.user();
  const basic = Buffer.from(`${user.username}:${user.token}`).toString('base64');
  const answers = [
    await app.anonymous.get(`/user?access_token=${user.token}`),
    await app.anonymous.get(`/user?job_token=${user.token}`),
    await app.withHeaders({ 'JOB-TOKEN': user.token }).get('/user'),
    await app.withHeaders({ 'DEPLOY-TOKEN': user.token }).get('/user'),
    await app.withHeaders({ Authorization: `Basic ${basic}` }).get('/user'),
    await app.withHeaders({ Authorization: user.token }).get('/user'),
    await app.withHeaders({ Authorization: `Token ${user.token}` }).get('/user'),
    await app.withHeaders({ Cookie: `_service_session=${user.token}` }).get('/user'),
    await app.anonymous.get(`/user?token=${user.token}`),
  ];
  for (const { status, body } of answers) {
    t.is(status, 401);
    t.deepEqual(body, UNKNOWN);
  }
});

// Contract: core-2.bad
test('the parameter beats the headers also when it is the bad one', async (t) => {
  const [one, other] = [await app.build.user(), await app.build.user()];
  const both = app.withHeaders({ 'PRIVATE-TOKEN': one.token, Authorization: `Bearer ${one.token}` });
  t.is((await both.get(`/user?private_token=${other.token}`)).body.id, other.id);
  t.is((await both.get('/user?private_token=nonsense')).status, 401);
  t.is((await both.get('/user?access_token=nonsense')).status, 401);
  t.is((await both.get(`/user?private_token=${other.token}&access_token=nonsense`)).body.id, other.id);
  const mixed = app.withHeaders({ 'PRIVATE-TOKEN': one.token, Authorization: `Bearer ${other.token}` });
  t.is((await mixed.get('/user')).body.id, one.id);
});

// Contract: core-2.bad
test('a header that is sent twice is no token', async (t) => {
  const { token } = await app.build.user();
  const twice = { 'PRIVATE-TOKEN': [token, token] } as unknown as Record<string, string>;
  const { status, body } = await rawRequest(app.url, { path: '/api/v4/user', headers: twice });
  t.is(status, 401);
  t.deepEqual(body, UNKNOWN);
});

const description = {
  expired: 'Token is expired. You can either do re-authorization or token refresh.',
  revoked: 'Token was revoked. You have to re-authorize from the user.',
};

/** Every kind of access token of one user or container, created as users do. */
async function everyKind(): Promise<BuiltUser[]> {
  const [admin, user] = [await app.build.admin(), await app.build.user()];
  const attributes = { name: 'x', scopes: ['api'], expires_at: '2030-02-01' };
  const project = await app.build.project({ owner: user });
  const group = await app.build.group({ owner: user });
  const responses = [
    await app.as(admin).post(`/users/${user.id}/personal_access_tokens`, attributes),
    await app.as(admin).post(`/users/${user.id}/impersonation_tokens`, attributes),
    await app.as(user).post(`/projects/${project.id}/access_tokens`, attributes),
    await app.as(user).post(`/groups/${group.id}/access_tokens`, attributes),
  ];
  return responses.map(({ body }) => ({ ...user, id: body.user_id, token: body.token, token_id: body.id }));
}

for (const state of ['expired', 'revoked'] as const) {
  test(`${state}: every kind of token is refused with the reason, in every carrier`, async (t) => {
    const tokens = await everyKind();
    for (const { token, token_id: id, id: userId } of tokens) {
      for (const [carrier, send] of carriers) {
        const { status, body } = await send(token);
        t.deepEqual([status, body.id], [200, userId], `${carrier} before`);
      }
      await app
        .context()
        .query(
          state === 'expired'
            ? sql`update personal_access_tokens set expires_on = '2030-01-01' where id = ${id}`
            : sql`update personal_access_tokens set revoked = true where id = ${id}`,
        );
      app.tokens.forget();
      for (const [carrier, send] of carriers) {
        const { status, body, headers } = await send(token);
        t.is(status, 401, carrier);
        t.deepEqual(body, { error: 'invalid_token', error_description: description[state] });
        t.true(headers.get('www-authenticate')?.includes(description[state]));
      }
    }
  });
}

// Contract: core-2.bad
test('tokens of people who are blocked, banned, deactivated or not approved are 403 [unverified text]', async (t) => {
  for (const state of ['blocked', 'banned', 'deactivated', 'blocked_pending_approval']) {
    const user = await app.build.user();
    await app.context().query(sql`update users set state = ${state} where id = ${user.id}`);
    for (const [carrier, send] of carriers) {
      const { status, body } = await send(user.token);
      t.is(status, 403, `${state}, ${carrier}`);
      t.deepEqual(body, { message: '403 Forbidden - Your account has been blocked.' });
    }
  }
});

// Contract: core-2.bad
test('no answer and no error repeats a token', async (t) => {
  const user = await app.build.user();
  const texts = await Promise.all([
    ...spoilt(user.token).map(async (token) => (await app.withHeaders({ 'PRIVATE-TOKEN': token }).get('/user')).text),
    (async () => (await app.as(user).get(`/users/nonsense?private_token=${user.token}`)).text)(),
    (async () => (await app.as(user).get('/personal_access_tokens')).text)(),
    (async () => (await app.as(user).get('/personal_access_tokens/self')).text)(),
  ]);
  for (const text of texts) t.false(text.includes(user.token.slice(4, 20)), text);
});
