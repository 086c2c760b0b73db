import test from 'ava';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';
import { KINDS, createContainer, tokenIn } from './containers.js';

const app = useApp(test);

const getIds = async (client: Client, path: string): Promise<number[]> =>
  (await client.get(path)).body.map(({ id }: { id: number }) => id);

// Contract: deploy-tokens-2.active, interface-3.2.deploy-token
test('active=true leaves out what is revoked or expired; false, and nothing, leave out none', async (t) => {
  for (const kind of KINDS) {
    const container = await createContainer(app, kind);
    const client = app.as(container.owner);
    const working = await tokenIn(app, container, { expires_at: '2030-01-01T00:00:00.001Z' });
    const expired = await tokenIn(app, container, { expires_at: '2030-01-01' });
    const revoked = await tokenIn(app, container);
    await client.post(`${container.path}/${revoked.id}/revoke`);
    const all = [working.id, expired.id, revoked.id];
    t.deepEqual(await getIds(client, `${container.path}?active=true`), [working.id]);
    t.deepEqual(await getIds(client, `${container.path}?active=1`), [working.id]);
    for (const query of ['?active=false', '?active=', ''])
      t.deepEqual(await getIds(client, container.path + query), all);
    const wrong = await client.get(`${container.path}?active=perhaps`);
    t.deepEqual([wrong.status, wrong.body], [400, { error: 'active is invalid' }]);
  }
});

// Contract: deploy-tokens-4.1, deploy-tokens-3.absent
test('a list holds the tokens of its project or group alone, and each is found only there', async (t) => {
  const owner = await app.build.user();
  const group = await app.build.group({ owner });
  const sub = await app.build.group({ parent: group, owner });
  const project = await app.build.projectIn({ ...sub, owner });
  const paths = [`/groups/${group.id}`, `/groups/${sub.id}`, `/projects/${project.id}`].map(
    (path) => `${path}/deploy_tokens`,
  );
  const client = app.as(owner);
  const tokens = [];
  for (const path of paths)
    tokens.push((await client.post(path, { name: path, scopes: ['read_repository'] })).body.id as number);
  for (const [index, path] of paths.entries()) {
    t.deepEqual(await getIds(client, path), [tokens[index]]);
    for (const [other, id] of tokens.entries()) {
      const found = await client.get(`${path}/${id}`);
      if (other === index) t.is(found.body.name, path);
      else {
        t.deepEqual([found.status, found.body], [404, { message: '404 Not found' }]);
        t.is((await client.delete(`${path}/${id}`)).status, 404);
        t.is((await client.post(`${path}/${id}/revoke`)).status, 404);
      }
    }
    for (const id of ['99999999', '0', '-1', '9'.repeat(30)]) t.is((await client.get(`${path}/${id}`)).status, 404);
  }
  t.deepEqual(
    await Promise.all(paths.map((path) => getIds(client, `${path}?active=true`))),
    tokens.map((id) => [id]),
  );
});

// Contract: deploy-tokens-4.2
test('lists go by id, in pages that are counted', async (t) => {
  const container = await createContainer(app, 'project');
  const ids: number[] = [];
  for (let count = 0; count < 5; count += 1) ids.push((await tokenIn(app, container)).id);
  const client = app.as(container.owner);
  t.deepEqual(await getIds(client, `${container.path}?per_page=2&page=2`), ids.slice(2, 4));
  const { headers } = await client.get(`${container.path}?per_page=2&page=3`);
  t.deepEqual([headers.get('x-total'), headers.get('x-total-pages'), headers.get('x-next-page')], ['5', '3', '']);
});

// Contract: interface-4.1.instance, deploy-tokens-4.1, interface-5.1.deploy-tokens.instance, deploy-tokens-3.instance, deploy-tokens-1.object
test('administrators list the tokens of the whole instance, others are 403, nobody 401', async (t) => {
  const [project, group] = [await createContainer(app, 'project'), await createContainer(app, 'group')];
  const [one, two] = [await tokenIn(app, project), await tokenIn(app, group)];
  const over = await tokenIn(app, group, { expires_at: '2029-01-01' });
  const admin = app.as(await app.build.admin());
  const all = await getIds(admin, '/deploy_tokens?per_page=100');
  t.deepEqual(
    [one, two, over].map(({ id }) => all.includes(id)),
    [true, true, true],
  );
  t.deepEqual(
    all,
    all.toSorted((a, b) => a - b),
  );
  const active = await getIds(admin, '/deploy_tokens?active=true&per_page=100');
  t.deepEqual([active.includes(one.id), active.includes(over.id)], [true, false]);
  const listed = (await admin.get('/deploy_tokens?per_page=100')).body.find(({ id }: { id: number }) => id === two.id);
  t.deepEqual(listed, (await app.as(group.owner).get(`${group.path}/${two.id}`)).body);
  t.deepEqual(Object.keys(listed).slice(0, 7), [
    'id',
    'name',
    'username',
    'expires_at',
    'scopes',
    'revoked',
    'expired',
  ]);
  for (const name of ['project_id', 'group_id', 'namespace_id', 'token', 'digest']) t.false(name in listed, name);
  const forbidden = await app.as(project.owner).get('/deploy_tokens');
  t.deepEqual([forbidden.status, forbidden.body], [403, { message: '403 Forbidden' }]);
  const nobody = await app.anonymous.get('/deploy_tokens');
  t.deepEqual([nobody.status, nobody.body], [401, { message: '401 Unauthorized' }]);
});

// Contract: interface-4.1.instance
test.serial('the hosted service has no list of the instance, and all others', async (t) => {
  const admin = app.as(await app.build.admin());
  const container = await createContainer(app, 'project');
  await app.set({ offering: 'saas' });
  const answers = [await admin.get('/deploy_tokens'), await app.anonymous.get('/deploy_tokens')];
  const own = await app.as(container.owner).get(container.path);
  await app.set({ offering: 'dedicated' });
  const dedicated = await admin.get('/deploy_tokens');
  await app.set({ offering: 'self-managed' });
  for (const { status, body } of answers) t.deepEqual([status, body], [404, { message: '404 Not Found' }]);
  t.deepEqual([own.status, dedicated.status], [200, 200]);
});
