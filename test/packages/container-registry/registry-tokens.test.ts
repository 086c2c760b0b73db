import { createPublicKey, X509Certificate } from 'node:crypto';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { jwtVerify } from 'jose';
import { loadRegistryKey } from '../../../shared/packages/container-registry/registry-key.js';
import { TestApp, useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const app = useApp(test);
const plain = useApp(test);

test.before(() => {
  app.services.config.registry = { url: 'https://registry.test', apiUrl: 'http://127.0.0.1:9' };
});

const basic = (username: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
});
const ofUser = ({ username, token }: BuiltUser) => basic(username, token);

const ask = (headers: Record<string, string>, query: string, to: TestApp = app) =>
  to.withHeaders(headers).raw('GET', `/jwt/auth?${query}`);

const SERVICE = 'service=container_registry';
const getScope = (path: string, actions: string) => `${SERVICE}&scope=repository:${path}:${actions}`;

/** The permissions granted by a token, verified in the same way as by a registry. */
async function getClaims(t: ExecutionContext, token: string) {
  const { certificate } = await loadRegistryKey(app.context());
  const [head = ''] = token.split('.');
  const { x5c } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { x5c: string[] };
  t.true(
    new X509Certificate(Buffer.from(x5c[0] as string, 'base64')).verify(new X509Certificate(certificate).publicKey),
  );
  const { payload } = await jwtVerify(token, createPublicKey(certificate), {
    issuer: 'capstan',
    audience: 'container_registry',
    currentDate: app.clock.now(),
  });
  return payload as { sub: string; exp: number; iat: number; access: { name: string; actions: string[] }[] };
}

async function granted(
  t: ExecutionContext,
  headers: Record<string, string>,
  query: string,
): Promise<string[] | number> {
  const { status, body } = await ask(headers, query);
  if (status !== 200) return status;
  return (await getClaims(t, body.token as string)).access.flatMap(({ actions }) => actions);
}

// Contract: container-registry-1.token, container-registry-1.expiry
test('a token says who has it, what it grants, and for how long', async (t) => {
  const project = await app.build.project({ empty: true });
  const { status, body } = await ask(
    ofUser(project.owner),
    getScope(`${project.full_path}/a/b`, 'pull,push,delete,none'),
  );
  t.is(status, 200);
  const claims = await getClaims(t, body.token);
  t.is(claims.sub, project.owner.username);
  t.is(claims.exp - claims.iat, 300);
  t.is(body.expires_in, 300);
  t.is(body.issued_at, app.clock.now().toISOString());
  t.deepEqual(claims.access, [
    { type: 'repository', name: `${project.full_path}/a/b`, actions: ['pull', 'push', 'delete'] },
  ] as never);
  const another = new TestApp([], { beside: app });
  await another.start();
  another.services.config.registry = app.services.config.registry;
  const second = await ask(ofUser(project.owner), getScope(project.full_path, 'pull'), another);
  await getClaims(t, second.body.token as string);
  await another.stop();
});

// Contract: container-registry-1.expiry-setting
test.serial('how long tokens are good is a setting', async (t) => {
  const user = await app.build.user();
  await app.set({ container_registry_token_expire_delay: 12 });
  const { body } = await ask(ofUser(user), SERVICE);
  await app.set({ container_registry_token_expire_delay: 5 });
  t.is(body.expires_in, 720);
});

// Contract: container-registry-1.roles, container-registry-1.anonymous
test('roles and the visibility of the project decide what is granted', async (t) => {
  const [closed, open] = [
    await app.build.project({ empty: true, visibility: 'private' }),
    await app.build.project({ empty: true, visibility: 'public' }),
  ];
  const all = 'pull,push,delete,*';
  const expected = {
    guest: [],
    reporter: ['pull'],
    developer: ['pull', 'push', 'delete'],
    maintainer: ['pull', 'push', 'delete', '*'],
  } as const;
  for (const [role, actions] of Object.entries(expected)) {
    const user = await app.build.member(closed, role as 'guest');
    t.deepEqual(await granted(t, ofUser(user), getScope(closed.full_path, all)), [...actions], role);
  }
  const stranger = await app.build.user();
  t.deepEqual(await granted(t, ofUser(stranger), getScope(closed.full_path, all)), []);
  t.deepEqual(await granted(t, ofUser(stranger), getScope(open.full_path, all)), ['pull']);
  t.deepEqual(await granted(t, {}, getScope(closed.full_path, all)), []);
  t.deepEqual(await granted(t, {}, getScope(open.full_path, all)), ['pull']);
  t.is(await granted(t, {}, SERVICE), 403, 'nobody who asks for nothing');
});

// Contract: container-registry-1.switch
test('container_registry_access_level closes it, or leaves it to members who may pull [unverified: Reporters]', async (t) => {
  const project = await app.build.project({ empty: true, visibility: 'public' });
  const [guest, reporter] = [await app.build.member(project, 'guest'), await app.build.member(project, 'reporter')];
  const set = (level: string) =>
    app.as(project.owner).put(`/projects/${project.id}`, { container_registry_access_level: level });
  const pulls = async (user: BuiltUser | null) =>
    granted(t, user ? ofUser(user) : {}, getScope(project.full_path, 'pull'));
  await set('private');
  t.deepEqual([await pulls(null), await pulls(guest), await pulls(reporter)], [[], [], ['pull']]);
  await set('disabled');
  t.deepEqual([await pulls(reporter), await pulls(project.owner)], [[], []]);
});

// Contract: container-registry-1.scopes
test('scopes of tokens decide what is granted', async (t) => {
  const project = await app.build.project({ empty: true });
  const { owner } = project;
  const expected: [string[], string[] | number][] = [
    [['api'], ['pull', 'push', 'delete']],
    [['read_api'], ['pull']],
    [['read_registry'], ['pull']],
    [['write_registry'], ['push']],
    [
      ['read_registry', 'write_registry'],
      ['pull', 'push'],
    ],
    [['read_repository'], 403],
  ];
  for (const [scopes, actions] of expected) {
    const token = await app.build.token(owner, { scopes });
    t.deepEqual(
      await granted(t, basic('anything', token.token), getScope(project.full_path, 'pull,push,delete')),
      actions,
      scopes.join(),
    );
  }
});

// Contract: container-registry-1.deploy-tokens
test('deploy tokens of a project and of a group reach its images by their scopes', async (t) => {
  const group = await app.build.group();
  const [inside, outside] = [
    await app.build.projectIn(group),
    await app.build.project({ empty: true, visibility: 'public' }),
  ];
  const owner = app.as(group.owner);
  const make = async (at: string, scopes: string[]) => {
    const { body } = await owner.post(`${at}/deploy_tokens`, { name: 'images', scopes });
    return basic(body.username as string, body.token as string);
  };
  for (const at of [`/groups/${group.id}`, `/projects/${inside.id}`]) {
    const both = await make(at, ['read_registry', 'write_registry']);
    t.deepEqual(await granted(t, both, getScope(inside.full_path, 'pull,push,delete,*')), ['pull', 'push']);
    t.deepEqual(
      await granted(t, both, getScope(outside.full_path, 'pull')),
      [],
      'another repository, although it is public',
    );
    t.deepEqual(await granted(t, await make(at, ['read_registry']), getScope(inside.full_path, 'pull,push')), ['pull']);
    t.is(await granted(t, await make(at, ['read_repository']), getScope(inside.full_path, 'pull')), 403);
  }
  const { token } = group.owner;
  t.is((await ask(basic('gitlab+deploy-token-1', 'gdt-wrong'), SERVICE)).status, 401);
  t.is((await ask(basic(group.owner.username, token), SERVICE)).status, 200);
});

// Contract: container-registry-1.refusals
test('another service, a thousand actions, malformed and foreign scopes grant nothing', async (t) => {
  const project = await app.build.project({ empty: true });
  const as = ofUser(project.owner);
  const answer = await ask(as, 'service=dependency_proxy');
  t.is(answer.status, 404);
  t.deepEqual(Object.keys(answer.body), ['errors']);
  t.is((await ask(as, '')).status, 404);
  const many = Array.from({ length: 1000 }, () => 'pull').join(',');
  t.is(await granted(t, as, getScope(project.full_path, many)), 400);
  t.is(await granted(t, as, `${SERVICE}&${Array.from({ length: 21 }, () => 'scope=a:b:c').join('&')}`), 400);
  for (const scope of ['', 'repository', 'repository:x', ':x:pull']) {
    const { status } = await ask(as, `${SERVICE}&scope=${encodeURIComponent(scope)}`);
    t.is(status, scope === '' ? 200 : 400, scope);
  }
  for (const name of [
    '..',
    `${project.full_path}/..`,
    project.full_path.toUpperCase(),
    `${project.full_path}%00`,
    'a'.repeat(300),
  ])
    t.deepEqual(await granted(t, as, getScope(name, 'pull')), [], name.slice(0, 40));
  t.deepEqual(await granted(t, as, `${SERVICE}&scope=registry:catalog:*`), []);
  t.deepEqual(await granted(t, ofUser(await app.build.admin()), `${SERVICE}&scope=registry:catalog:*`), ['*']);
  const wrong = await ask(basic(project.owner.username, 'wrong'), SERVICE);
  t.is(wrong.status, 401);
  t.is(wrong.body.errors[0].code, 'UNAUTHORIZED');
  const none = await ask(ofUser(await plain.build.user()), SERVICE, plain);
  t.deepEqual([none.status, none.body], [404, { errors: [{ code: 'UNAVAILABLE', message: 'registry not enabled' }] }]);
});
