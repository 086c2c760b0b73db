import test from 'ava';
import { TOKEN_SCOPES } from '../../../shared/auth/personal-access-tokens/create-token.js';
import { Unauthenticated } from '../../../shared/core/values/errors.js';
import { sql } from 'kysely';
import { OauthSandbox } from '../../auth/oauth/oauth-browser.js';
import { useApp } from '../../core/app.js';
import { Probe } from '../../core/probe-principal.js';
import { PASSWORD, userWithPassword } from '../../core/signed-in.js';
import { basic, lsRemote } from './git-client.js';

/** Known by user name and secret together, as deploy tokens are. */
const PROBES: Record<string, Probe | 'expired'> = {
  'reader:secret-of-reader': new Probe(1, 'Reader', ['read_repository'], ['read_project', 'read_code']),
  'elsewhere:secret-of-elsewhere': new Probe(2, 'Elsewhere', ['read_repository'], []),
  'images:secret-of-images': new Probe(3, 'Images', ['read_registry'], ['read_project', 'read_code']),
  'late:secret-of-late': 'expired',
};
const readers = {
  name: 'readers',
  entities: [],
  jobKinds: [],
  subscribers: [],
  auditOf: {},
  basicReaders: [
    (_ctx: unknown, { username, password }: { username: string; password: string }) => {
      const found = PROBES[`${username}:${password}`];
      if (found === 'expired') throw new Unauthenticated('expired');
      return Promise.resolve(found ?? null);
    },
  ],
};

const app = useApp(test, [], { domains: [readers] });
const oauth = new OauthSandbox(app);

const CHALLENGE = 'Basic realm="Capstan", charset="UTF-8"';
const SIGN_IN = 'Sign in with your user name, and with an access token or your password.\n';
const DENIED = 'Access denied: wrong user name, or wrong token or password.\n';
const ABSENT = 'There is no such project, or you may not see it.\n';
const CODELESS = "You may not read this project's repository.\n";
const UNSCOPED = 'The token needs one of these scopes: read_repository, write_repository, api.\n';

/** The response to git's request for the refs of a project: status, message and challenge. */
async function request(path: string, headers: Record<string, string> = {}, service = 'git-upload-pack') {
  const { status, text, ...answer } = await app
    .withHeaders(headers)
    .raw('GET', `/${path}.git/info/refs?service=${service}`);
  if (status >= 400 && answer.headers.get('content-type') !== 'text/plain') throw new Error('not plain text');
  return [status, status === 200 ? '' : text, answer.headers.get('www-authenticate')] as const;
}

const read = [200, '', null] as const;

// Contract: git-http-2.password, git-http-2.token, git-http-2.oauth, git-http-2.resource-token
test('each kind of credential of a user fetches with the git program', async (t) => {
  const owner = await userWithPassword(app, { email: 'owner@example.com' });
  const rest = app.as(owner);
  const project = await app.build.project({ owner });
  const inGroup = await app.build.projectIn(await app.build.group({ owner }), { empty: false });
  const impersonation = await app
    .as(await app.build.admin())
    .post(`/users/${owner.id}/impersonation_tokens`, { name: 'x', scopes: ['read_repository'] });
  const token = { name: 'x', scopes: ['read_repository'], access_level: 20, expires_at: '2030-02-01' };
  const ofProject = await rest.post(`/projects/${project.id}/access_tokens`, token);
  const ofGroup = await rest.post(`/groups/${inGroup.namespace_id}/access_tokens`, token);
  t.deepEqual([impersonation.status, ofProject.status, ofGroup.status], [201, 201, 201]);
  const { user, browser } = await oauth.person();
  await app.build.member(project, 'reporter', user);
  const ofApplication = await oauth.tokens(await oauth.application(), browser);
  for (const [who, as, where] of [
    ['password', `${owner.username}:${PASSWORD}`, project],
    ['password, once more', `${owner.username.toUpperCase()}:${PASSWORD}`, project],
    ['address and password', `owner@example.com:${PASSWORD}`, project],
    ['personal token', `${owner.username}:${owner.token}`, project],
    ['personal token under another name', `git:${owner.token}`, project],
    ['impersonation token', `${owner.username}:${impersonation.body.token}`, project],
    ['OAuth token', `oauth2:${ofApplication.access_token}`, project],
    ['OAuth token by user name', `${user.username}:${ofApplication.access_token}`, project],
    ['project access token', `whatever:${ofProject.body.token}`, project],
    ['group access token', `whatever:${ofGroup.body.token}`, inGroup],
  ] as const) {
    const { code, stderr } = await lsRemote(app, where, { as });
    t.is(code, 0, `${who}: ${stderr}`);
  }
  const elsewhere = await lsRemote(app, project, { as: `whatever:${ofGroup.body.token}` });
  t.is(elsewhere.code, 128);
  t.true(elsewhere.stderr.includes(`remote: ${ABSENT}`), elsewhere.stderr);
});

// Contract: git-http-2.scopes
test('scopes: read_repository, write_repository and api fetch, nothing else does', async (t) => {
  const owner = await app.build.user();
  const { full_path } = await app.build.project({ owner });
  for (const scope of TOKEN_SCOPES) {
    const { token } = await app.build.token(owner, { scopes: [scope] });
    const opens = ['read_repository', 'write_repository', 'api'].includes(scope);
    t.deepEqual(await request(full_path, basic('x', token)), opens ? read : [403, UNSCOPED, null], scope);
  }
});

// Contract: git-http-2.principals
test('a caller that is no user fetches what its place is, by user name and secret together', async (t) => {
  const { full_path } = await app.build.project({ visibility: 'public' });
  t.deepEqual(await request(full_path, basic('reader', 'secret-of-reader')), read);
  t.deepEqual(await request(full_path, basic('other', 'secret-of-reader')), [401, DENIED, CHALLENGE]);
  t.deepEqual(await request(full_path, basic('elsewhere', 'secret-of-elsewhere')), [404, ABSENT, null]);
  t.deepEqual(await request(full_path, basic('images', 'secret-of-images')), [403, UNSCOPED, null]);
  const expired = 'Access denied: the token has expired.\n';
  t.deepEqual(await request(full_path, basic('late', 'secret-of-late')), [401, expired, CHALLENGE]);
  const { status } = await app.withHeaders({ 'PRIVATE-TOKEN': 'secret-of-reader' }).get('/projects');
  t.is(status, 401, 'over REST it is unknown');
});

// Contract: git-http-2.refused
test('wrong, expired and revoked credentials are 401 even where nobody needs any, blocked users 403', async (t) => {
  const owner = await userWithPassword(app);
  const { full_path } = await app.build.project({ owner, visibility: 'public' });
  const expired = await app.build.token(owner, { expires_on: '2029-12-01' });
  const revoked = await app.build.token(owner);
  await app.as(revoked).delete('/personal_access_tokens/self');
  t.deepEqual(await request(full_path), read);
  t.deepEqual(await request(full_path, basic('', '')), read);
  t.deepEqual(await request(full_path, { Cookie: '_service_session=x' }), read);
  const wrong = [
    basic(owner.username, 'wrong'),
    basic('nobody', PASSWORD),
    basic(owner.username, ''),
    basic('', PASSWORD),
    basic('x', `${owner.token}x`),
    basic('x'.repeat(10_000), PASSWORD),
    basic('nul\0', PASSWORD),
    basic(owner.username, 'x'.repeat(50_000)),
    { Authorization: 'Basic' },
    { Authorization: 'Basic !!!' },
    { Authorization: `Basic ${owner.token}` },
  ];
  for (const headers of wrong)
    t.deepEqual(await request(full_path, headers), [401, DENIED, CHALLENGE], JSON.stringify(headers).slice(0, 200));
  const denial = (text: string) => [401, `Access denied: the token ${text}.\n`, CHALLENGE] as const;
  t.deepEqual(await request(full_path, basic('x', expired.token)), denial('has expired'));
  t.deepEqual(await request(full_path, basic('x', revoked.token)), denial('was revoked'));
  const right = [basic(owner.username, PASSWORD), basic('x', owner.token)];
  for (const headers of right) t.deepEqual(await request(full_path, headers), read);
  await app.as(await app.build.admin()).post(`/users/${owner.id}/block`);
  for (const headers of right)
    t.deepEqual(await request(full_path, headers), [403, 'Your account has been blocked.\n', null]);
  await app.context().query(sql`update users set state = 'active' where id = ${owner.id}`);
  const hash = await app.services.passwords.hash('another password');
  await app.context().query(sql`update users set password_digest = ${hash} where id = ${owner.id}`);
  t.deepEqual(
    await request(full_path, right[0]),
    [401, DENIED, CHALLENGE],
    'a password that was right is not remembered',
  );
});

// Contract: git-http-2.rights
test('who reads the code fetches it: by visibility, role and access level', async (t) => {
  const [owner, stranger, guest, reporter] = [
    await app.build.user(),
    await app.build.user(),
    await app.build.user(),
    await app.build.user(),
  ];
  const external = await app.build.user({ external: true });
  const who = { stranger, guest, reporter, owner, external };
  const ask = async (path: string) => {
    const [status, text, challenge] = await request(path);
    t.deepEqual([text, challenge], status === 200 ? ['', null] : [SIGN_IN, CHALLENGE]);
    const answers: Record<string, number | string> = { nobody: status };
    for (const [name, { token }] of Object.entries(who)) {
      const answer = await request(path, basic('x', token));
      answers[name] = answer[0];
      t.is(answer[1], { 200: '', 403: CODELESS, 404: ABSENT }[answer[0] as 200], `${path} ${name}`);
    }
    return answers;
  };
  const expected = {
    private: { nobody: 401, stranger: 404, guest: 403, reporter: 200, owner: 200, external: 404 },
    internal: { nobody: 401, stranger: 200, guest: 200, reporter: 200, owner: 200, external: 404 },
    public: { nobody: 200, stranger: 200, guest: 200, reporter: 200, owner: 200, external: 200 },
  };
  for (const [visibility, statuses] of Object.entries(expected)) {
    const project = await app.build.project({ owner, visibility });
    await app.build.member(project, 'guest', guest);
    await app.build.member(project, 'reporter', reporter);
    t.deepEqual(await ask(project.full_path), statuses, visibility);
    if (visibility !== 'public') continue;
    const level = (to: string) =>
      app.context().query(sql`update projects set repository_access_level = ${to} where id = ${project.id}`);
    await level('private');
    const closed = { nobody: 401, stranger: 403, guest: 200, reporter: 200, owner: 200, external: 403 };
    t.deepEqual(await ask(project.full_path), closed, 'for members only');
    await level('disabled');
    const off = { nobody: 401, stranger: 403, guest: 403, reporter: 403, owner: 403, external: 403 };
    t.deepEqual(await ask(project.full_path), off, 'for nobody');
  }
  const none = { nobody: 401, stranger: 404, guest: 404, reporter: 404, owner: 404, external: 404 };
  t.deepEqual(await ask('nobody/nothing'), none, 'a missing one looks like a private one');
});

test.serial('a fetch takes so few statements', async (t) => {
  const owner = await userWithPassword(app);
  const { full_path } = await app.build.project({ owner });
  t.deepEqual(await request(full_path, basic(owner.username, PASSWORD)), read);
  t.is(await app.statementsOf(() => request(full_path, basic('x', owner.token))), 4);
  // One of them checks whether it is a deploy token.
  t.is(await app.statementsOf(() => request(full_path, basic(owner.username, PASSWORD))), 4);
});
