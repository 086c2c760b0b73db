import test from 'ava';
import { sql } from 'kysely';
import { TOKEN_SCOPES } from '../../../shared/auth/personal-access-tokens/create-token.js';
import { useApp } from '../../core/app.js';
import type { Answer, Client } from '../../core/client.js';
import { postJson, signIn, userWithPassword } from '../../core/signed-in.js';

const app = useApp(test);
const PATH = '/-/user_settings/personal_access_tokens';
const create = (client: Client, body: object): Promise<Answer> => postJson(client, PATH, body);

// Contract: web.tokens.session
test('in a session a person makes a token of any scope for themselves, shown this once, and it works', async (t) => {
  const user = await userWithPassword(app);
  const { client } = await signIn(app, user);
  const response = await create(client, { name: 'Laptop', scopes: ['api', 'read_user'], expires_at: '2030-02-01' });
  t.is(response.status, 201);
  t.is(response.headers.get('cache-control'), 'no-store');
  const { token, ...record } = response.body;
  t.like(record, {
    name: 'Laptop',
    scopes: ['api', 'read_user'],
    user_id: user.id,
    expires_at: '2030-02-01',
    active: true,
  });
  const own = app.withHeaders({ 'PRIVATE-TOKEN': token });
  t.is((await own.get('/user')).body.username, user.username);
  t.deepEqual((await client.get(`/personal_access_tokens/${record.id}`)).body.token, undefined);
});

// Contract: web.tokens.session
test('no token makes another one there, whatever its scopes, and nobody makes one without signing in', async (t) => {
  const user = await app.build.user();
  const body = { name: 'More', scopes: ['api'] };
  t.is((await create(app.as(user), body)).status, 401);
  t.is((await create(app.withHeaders({ Authorization: `Bearer ${user.token}` }), body)).status, 401);
  t.is((await create(app.anonymous, body)).status, 401);
  t.is((await app.anonymous.raw('GET', `${PATH}/scopes`)).status, 401);
  t.is((await app.as(user).get('/personal_access_tokens')).body.length, 1);
});

// Contract: web.tokens.session
test("another site's request makes no token: the session's token is missing, or another's", async (t) => {
  const user = await userWithPassword(app);
  const { cookieOnly } = await signIn(app, user);
  const other = await signIn(app, await userWithPassword(app));
  const body = { name: 'Stolen', scopes: ['api'] };
  for (const client of [cookieOnly, cookieOnly.with({ 'X-CSRF-Token': other.csrf })]) {
    const { status, body: problem } = await create(client, body);
    t.is(status, 422);
    t.deepEqual(problem, { message: "Can't verify CSRF token authenticity." });
  }
  t.is((await app.as(user).get('/personal_access_tokens')).body.length, 1);
});

test('the scopes to choose from come in words, those of administrators to administrators alone', async (t) => {
  const person = await signIn(app, await userWithPassword(app));
  const administrator = await signIn(app, await userWithPassword(app, { admin: true }));
  const offered = async ({ client }: { client: Client }) => {
    const { status, body } = await client.raw('GET', `${PATH}/scopes`);
    t.is(status, 200);
    t.true(body.every(({ description }: { description: string }) => description.length > 5));
    return body.map(({ name }: { name: string }) => name) as string[];
  };
  t.deepEqual(await offered(administrator), [...TOKEN_SCOPES]);
  t.deepEqual(
    await offered(person),
    TOKEN_SCOPES.filter((scope) => scope !== 'sudo' && scope !== 'admin_mode'),
  );
});

// Contract: web.tokens.session
test('who is no administrator cannot give the scopes of administrators', async (t) => {
  const { client } = await signIn(app, await userWithPassword(app));
  for (const scope of ['sudo', 'admin_mode']) {
    const { status, body } = await create(client, { name: 'High', scopes: ['api', scope] });
    t.is(status, 422);
    t.deepEqual(body, { message: 'Scopes can only contain available scopes' });
  }
  const administrator = await signIn(app, await userWithPassword(app, { admin: true }));
  t.is((await create(administrator.client, { name: 'High', scopes: ['sudo'] })).status, 201);
});

test('what is wrong with a token is told as the API tells it, and none is made', async (t) => {
  const user = await userWithPassword(app);
  const { client } = await signIn(app, user);
  const cases: [object, number, object][] = [
    [{ scopes: ['api'] }, 400, { error: 'name is missing' }],
    [{ name: 'A', scopes: ['none'] }, 400, { error: 'scopes does not have a valid value' }],
    [{ name: ' ', scopes: ['api'] }, 422, { message: "Name can't be blank" }],
    [{ name: 'A', scopes: [] }, 422, { message: "Scopes can't be blank" }],
    [
      { name: 'A', scopes: ['api'], expires_at: '2029-01-01' },
      400,
      { message: 'Expiration date must be in the future' },
    ],
    [{ name: 'A', scopes: ['api'], expires_at: 'soon' }, 400, { error: 'expires_at is invalid' }],
  ];
  for (const [body, status, expected] of cases) {
    const answer = await create(client, body);
    t.deepEqual([answer.status, answer.body], [status, expected], JSON.stringify(body));
  }
  t.is((await client.get('/personal_access_tokens')).body.length, 1);
});

// Contract: web.tokens.session
test('a token made in a session is an audit event without the token', async (t) => {
  const user = await userWithPassword(app);
  const { client } = await signIn(app, user);
  const { body } = await create(client, { name: 'Audited', scopes: ['api'] });
  const events = await app.context().query<{ event: string; row: string }>(sql`
    select e.event_name as event, row_to_json(e)::text as row from audit_events e where e.author_id = ${user.id}`);
  const creation = events.find(({ event }) => event === 'personal_access_token_created');
  t.regex(creation?.row ?? '', /Audited/);
  t.false(events.some(({ row }) => row.includes(body.token)));
});
