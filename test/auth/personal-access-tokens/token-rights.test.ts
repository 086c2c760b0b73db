import { randomUUID } from 'node:crypto';
import test from 'ava';
import { insertAccessToken, insertGrant } from '../../../shared/auth/oauth/grants.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import type { Answer, Client } from '../../core/client.js';
import { signIn } from '../../core/signed-in.js';
import { OauthSandbox } from '../oauth/oauth-browser.js';

const app = useApp(test);
const oauth = new OauthSandbox(app);

/** The access that a user granted to an application. */
async function byApplication(user: BuiltUser, scopes: readonly string[]): Promise<Client> {
  const { application_id: clientId } = await oauth.application({ scopes: scopes.join(' ') });
  const uid = randomUUID();
  const token = randomUUID();
  const ctx = app.context();
  await insertGrant(ctx, { uid, clientId, userId: user.id, scopes });
  const expiresAt = new Date(app.clock.now().getTime() + 3_600_000);
  await insertAccessToken(ctx, { token, grantUid: uid, scopes, expiresAt });
  return app.withHeaders({ Authorization: `Bearer ${token}` });
}

const withScopes = async (user: BuiltUser, ...scopes: string[]): Promise<Client> =>
  app.as(await app.build.token(user, { scopes }));
const inSession = async (user: BuiltUser): Promise<Client> => (await signIn(app, user)).client;

type Kind = 'projects' | 'groups';
interface TestContainer {
  kind: Kind;
  id: number;
  owner: BuiltUser;
}
const tokens = ({ kind, id }: TestContainer, rest = '') => `/${kind}/${id}/access_tokens${rest}`;
const make = (client: Client, at: TestContainer, access_level: number): Promise<Answer> =>
  client.post(tokens(at), { name: 'robot', scopes: ['api'], access_level });

async function createContainer(kind: Kind): Promise<TestContainer> {
  const container = kind === 'projects' ? await app.build.project({ empty: true }) : await app.build.group();
  return { kind, id: container.id, owner: container.owner };
}

const member = (at: TestContainer, role: 'developer' | 'maintainer' | 'owner') =>
  at.kind === 'projects' ? app.build.member(at, role) : app.build.groupMember(at, role);
const robot = async (at: TestContainer, level: number): Promise<Client> =>
  app.withHeaders({ 'PRIVATE-TOKEN': (await make(app.as(at.owner), at, level)).body.token });

/** Callers, by credential and role. */
const CALLERS: Record<string, (at: TestContainer) => Promise<Client>> = {
  nobody: () => Promise.resolve(app.anonymous),
  stranger: async () => app.as(await app.build.user()),
  developer: async (at) => app.as(await member(at, 'developer')),
  maintainer: async (at) => withScopes(await member(at, 'maintainer'), 'api'),
  'maintainer, read_api': async (at) => withScopes(await member(at, 'maintainer'), 'read_api'),
  'maintainer, self_rotate': async (at) => withScopes(await member(at, 'maintainer'), 'self_rotate'),
  'maintainer, session': async (at) => inSession(await member(at, 'maintainer')),
  'maintainer, application': async (at) => byApplication(await member(at, 'maintainer'), ['api']),
  'bot of level 40': (at) => robot(at, 40),
  'bot of level 50': (at) => robot(at, 50),
  owner: async (at) => withScopes(await member(at, 'owner'), 'api'),
  'owner, application': async (at) => byApplication(await member(at, 'owner'), ['api']),
  administrator: async () => withScopes(await app.build.admin(), 'api'),
};

/** The actions on a token of a level. */
const ACTIONS: Record<
  string,
  (client: Client, at: TestContainer, token: { id: number }, level: number) => Promise<Answer>
> = {
  create: (client, at, _token, level) => make(client, at, level),
  read: (client, at, { id }) => client.get(tokens(at, `/${id}`)),
  rotate: (client, at, { id }) => client.post(tokens(at, `/${id}/rotate`), {}),
  revoke: (client, at, { id }) => client.delete(tokens(at, `/${id}`)),
  'rotate by id': (client, _at, { id }) => client.post(`/personal_access_tokens/${id}/rotate`, {}),
  'revoke by id': (client, _at, { id }) => client.delete(`/personal_access_tokens/${id}`),
};
const LEVELS = [30, 40, 50];

const HIGHER = /^400 Bad request - (Not eligible to (rotate|revoke) token with a|A)ccess level /i;
const summarize = ({ status, body }: Answer) => {
  const message = String(body?.message ?? body?.error ?? '');
  return HIGHER.test(message) ? 'level' : message === '400 Bad request - ' ? 'right' : String(status);
};

/**
 * The responses to each action for each caller, at the levels 30, 40 and 50 if they differ. By its id alone, the
 * existence of another owner's token is never revealed.
 */
const PROJECT: Record<string, [create: string, read: string, rotate: string, revoke: string, byId: string]> = {
  nobody: ['401', '401', '401', '401', '401'],
  stranger: ['404', '404', '404', '404', '401'],
  developer: ['400', '401', '401', '401', '401'],
  maintainer: ['201 201 level', '200', '200 200 level', '204 204 level', '401'],
  'maintainer, read_api': ['403', '200', '403', '403', '403'],
  'maintainer, self_rotate': ['403', '403', '403', '403', '403'],
  'maintainer, session': ['201 201 level', '200', '200 200 level', '204 204 level', '401'],
  'maintainer, application': ['201 201 level', '200', '403', '204 204 level', '401'],
  'bot of level 40': ['400', '200', '401', '401', '401'],
  'bot of level 50': ['400', '200', '401', '401', '401'],
  owner: ['201', '200', '200', '204', '401'],
  'owner, application': ['201', '200', '403', '204', '401'],
  administrator: ['201', '200', '200', '204', '200 204'],
};
const GROUP: typeof PROJECT = {
  ...PROJECT,
  maintainer: ['400', '401', '401', '401', '401'],
  'maintainer, read_api': ['403', '401', '403', '403', '403'],
  'maintainer, session': ['400', '401', '401', '401', '401'],
  'maintainer, application': ['400', '401', '401', '401', '401'],
  'bot of level 40': ['400', '401', '401', '401', '401'],
};

for (const [kind, table] of [
  ['projects', PROJECT],
  ['groups', GROUP],
] as const)
  test(`${kind}: who does what with tokens of which level`, async (t) => {
    const at = await createContainer(kind);
    const results: Record<string, string[]> = {};
    for (const [caller, clientOf] of Object.entries(CALLERS)) {
      const client = await clientOf(at);
      const answers: Record<string, string> = {};
      for (const [action, act] of Object.entries(ACTIONS)) {
        const outcomes: string[] = [];
        for (const level of LEVELS) {
          const target = (await make(app.as(at.owner), at, level)).body;
          outcomes.push(summarize(await act(client, at, target, level)));
        }
        answers[action] = new Set(outcomes).size === 1 ? (outcomes[0] as string) : outcomes.join(' ');
      }
      const { 'rotate by id': rotated = '', 'revoke by id': revoked = '', ...rest } = answers;
      results[caller] = [...Object.values(rest), rotated === revoked ? rotated : `${rotated} ${revoked}`];
    }
    t.deepEqual(results, table);
  });

// Contract: core-2.rights.levels
test('a token of a higher level is neither rotated nor revoked, and works on', async (t) => {
  const at = await createContainer('projects');
  const maintainer = app.as(await member(at, 'maintainer'));
  const { id, token } = (await make(app.as(at.owner), at, 50)).body;
  const answers = [
    await maintainer.post(tokens(at, `/${id}/rotate`), {}),
    await maintainer.delete(tokens(at, `/${id}`)),
  ];
  t.deepEqual(
    answers.map(({ status, body }) => [status, body.message]),
    [
      [400, '400 Bad request - Not eligible to rotate token with access level higher than the user'],
      [400, '400 Bad request - Not eligible to revoke token with access level higher than the user'],
    ],
  );
  t.is((await app.withHeaders({ 'PRIVATE-TOKEN': token }).get('/user')).status, 200);
});

// Contract: core-2.rights.levels
test('the level of a token is the one that its bot has by now', async (t) => {
  const at = await createContainer('projects');
  const maintainer = app.as(await member(at, 'maintainer'));
  const raised = (await make(app.as(at.owner), at, 30)).body;
  const lowered = (await make(app.as(at.owner), at, 50)).body;
  const setLevel = (token: { user_id: number }, access_level: number) =>
    app.as(at.owner).put(`/projects/${at.id}/members/${token.user_id}`, { access_level });
  await setLevel(raised, 50);
  await setLevel(lowered, 30);
  t.is((await maintainer.post(tokens(at, `/${raised.id}/rotate`), {})).status, 400);
  t.is((await maintainer.delete(tokens(at, `/${raised.id}`))).status, 400);
  const own = await app.withHeaders({ 'PRIVATE-TOKEN': lowered.token }).post(tokens(at, '/self/rotate'), {});
  t.is(own.body.access_level, 30);
  t.is((await maintainer.post(tokens(at, `/${own.body.id}/rotate`), {})).body.access_level, 30);
});

/** Callers who are the user of the tokens, or administrators, and what they get for tokens of some scopes. */
const SCOPES: [name: string, scopes: string[]][] = [
  ['api', ['api', 'read_user', 'write_repository', 'k8s_proxy']],
  ['read', ['read_api', 'self_rotate']],
  ['sudo', ['api', 'sudo']],
  ['admin_mode', ['admin_mode']],
];

const PERSONS: Record<string, (user: BuiltUser) => Promise<Client>> = {
  'the user, api': (user) => withScopes(user, 'api'),
  'the user, api and sudo': (user) => withScopes(user, 'api', 'sudo'),
  'the user, all scopes': (user) => Promise.resolve(app.as(user)),
  'the user, read_api': (user) => withScopes(user, 'read_api'),
  'the user, session': inSession,
  'the user, application': (user) => byApplication(user, ['api']),
  'an administrator, api': async () => withScopes(await app.build.admin(), 'api'),
  'an administrator, all scopes': async () => app.as(await app.build.admin()),
  'an administrator, application': async () => byApplication(await app.build.admin(), ['api']),
  'another user': async () => app.as(await app.build.user()),
};

const OF_PERSONS: Record<string, (client: Client, user: BuiltUser, scopes: string[]) => Promise<Answer>> = {
  rotate: async (client, user, scopes) =>
    client.post(`/personal_access_tokens/${(await app.build.token(user, { scopes })).token_id}/rotate`, {}),
  revoke: async (client, user, scopes) =>
    client.delete(`/personal_access_tokens/${(await app.build.token(user, { scopes })).token_id}`),
  read: async (client, user, scopes) =>
    client.get(`/personal_access_tokens/${(await app.build.token(user, { scopes })).token_id}`),
  create: (client, user, scopes) => client.post(`/users/${user.id}/personal_access_tokens`, { name: 'x', scopes }),
  impersonate: (client, user, scopes) => client.post(`/users/${user.id}/impersonation_tokens`, { name: 'x', scopes }),
};

/** rotate, revoke, read, create, impersonate: for each the answers in the order of {@link SCOPES}, or one for all. */
const PERSONAL: Record<string, string[]> = {
  'the user, api': ['200 200 403 403', '204', '200', '403', '403'],
  'the user, api and sudo': ['200 200 200 403', '204', '200', '403', '403'],
  'the user, all scopes': ['200', '204', '200', '403', '403'],
  'the user, read_api': ['403', '403', '200', '403', '403'],
  'the user, session': ['200', '204', '200', '403', '403'],
  'the user, application': ['403', '204', '200', '403', '403'],
  'an administrator, api': ['200 200 403 403', '204', '200', '201 201 403 403', '201 201 403 403'],
  'an administrator, all scopes': ['200', '204', '200', '201', '201'],
  'an administrator, application': ['403', '204', '200', '201 201 403 403', '201 201 403 403'],
  'another user': ['401', '401', '401', '403', '403'],
};

// Contract: core-2.rights.scopes
test('personal tokens: who does what with tokens of which scopes', async (t) => {
  const results: Record<string, string[]> = {};
  for (const [caller, clientOf] of Object.entries(PERSONS)) {
    const user = await app.build.user();
    const client = await clientOf(user);
    results[caller] = [];
    for (const act of Object.values(OF_PERSONS)) {
      const outcomes: string[] = [];
      for (const [, scopes] of SCOPES) outcomes.push(String((await act(client, user, scopes)).status));
      results[caller].push(new Set(outcomes).size === 1 ? (outcomes[0] as string) : outcomes.join(' '));
    }
  }
  t.deepEqual(results, PERSONAL);
});

// Contract: core-2.rights.scopes
test('a token makes no other that opens more, and is told which scopes it lacks', async (t) => {
  const user = await app.build.user();
  const target = await app.build.token(user, { scopes: ['api', 'sudo', 'admin_mode'] });
  const answer = await (await withScopes(user, 'api')).post(`/personal_access_tokens/${target.token_id}/rotate`, {});
  t.is(answer.status, 403);
  t.like(answer.body, { error: 'insufficient_scope', scope: 'sudo admin_mode' });
  t.is((await app.as(target).get('/user')).status, 200);
});

// Contract: core-2.rights.bots
test('a bot makes no token of any kind, and renews none but its own', async (t) => {
  for (const kind of ['projects', 'groups'] as const) {
    const at = await createContainer(kind);
    const { id, token, user_id: botId } = (await make(app.as(at.owner), at, 50)).body;
    const bot = app.withHeaders({ 'PRIVATE-TOKEN': token });
    const answers = [
      await bot.post('/user/personal_access_tokens', { name: 'x', scopes: ['self_rotate'] }),
      await bot.post(`/users/${botId}/personal_access_tokens`, { name: 'x', scopes: ['api'] }),
      await bot.post(`/users/${botId}/impersonation_tokens`, { name: 'x', scopes: ['api'] }),
      await make(bot, at, 10),
    ];
    t.deepEqual(
      answers.map(({ status }) => status),
      [403, 403, 403, 400],
    );
    t.is((await app.as(at.owner).get(tokens(at))).body.length, 1, 'nothing was made');
    const next = await bot.post(`/personal_access_tokens/${id}/rotate`, {});
    t.is(next.status, 200);
    t.is(next.body.user_id, botId);
  }
});
