import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { ed25519, keyedProject, keyIn } from './keys.js';

const app = useApp(test);
const NOW = '2030-01-01T00:00:00.000Z';
const ids = (body: { id: number }[]) => body.map(({ id }) => id);
const TAKEN = { message: { 'deploy_key.fingerprint_sha256': ['has already been taken'] } };

// Contract: deploy-keys.list, deploy-keys.get, deploy-keys.create, deploy-keys.object, deploy-keys.fingerprints
test('a key is added, read and listed with its fingerprints, as ssh-keygen tells them', async (t) => {
  const { owner, path } = await keyedProject(app);
  const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAILkYXU2fVeO4/0rDCSsswP5iIX2+B6tv15YT3KObgyDl ci@example.com';
  const response = await app.as(owner).post(path, {
    title: 'Release',
    key: ` ${key}\n`,
    can_push: true,
    expires_at: '2030-06-01',
  });
  t.is(response.status, 201);
  t.deepEqual(response.body, {
    id: response.body.id,
    title: 'Release',
    created_at: NOW,
    expires_at: '2030-06-01T00:00:00.000Z',
    key,
    fingerprint: '40:8e:fa:df:70:f7:a7:06:1e:0d:6f:ae:f2:27:92:01',
    fingerprint_sha256: 'SHA256:Ojq2LZW43BFK/AMP81jBkDGn9YpPWYRNcViKBB44LPU',
    can_push: true,
  });
  const read = await app.as(owner).get(`${path}/${response.body.id}`);
  t.deepEqual([read.status, read.body], [200, response.body]);
  const listed = await app.as(owner).get(path);
  t.deepEqual([listed.status, listed.body], [200, [response.body]]);
});

// Contract: deploy-keys.create, deploy-keys.list
test('a key only reads and does not end unless told so, and keys are listed by id, in pages', async (t) => {
  const project = await keyedProject(app);
  const keys = [await keyIn(app, project), await keyIn(app, project), await keyIn(app, project)];
  t.like(keys[0], { can_push: false, expires_at: null } as object);
  const page = await app.as(project.owner).get(`${project.path}?per_page=2&page=2`);
  t.deepEqual(ids(page.body), [keys[2]!.id]);
  t.is(page.headers.get('x-total'), '3');
});

// Contract: deploy-keys.update
test('title and right to push are edited, together and each alone, and one of them must be given', async (t) => {
  const project = await keyedProject(app);
  const { id } = await keyIn(app, project);
  const put = (body: object) => app.as(project.owner).put(`${project.path}/${id}`, body);
  t.like((await put({ title: 'Other', can_push: true })).body, { id, title: 'Other', can_push: true });
  t.like((await put({ title: 'Third' })).body, { title: 'Third', can_push: true });
  const last = await put({ can_push: 'false' });
  t.like(last, { status: 200 });
  t.like(last.body, { title: 'Third', can_push: false });
  const none = await put({});
  t.deepEqual(
    [none.status, none.body],
    [400, { error: 'title, can_push are missing, at least one parameter must be provided' }],
  );
});

// Contract: deploy-keys.delete, deploy-keys.absent
test('a key is removed with 204, the record too where no other project has it, and is 404 from then on', async (t) => {
  const project = await keyedProject(app);
  const { id } = await keyIn(app, project);
  const client = app.as(project.owner);
  const gone = await client.delete(`${project.path}/${id}`);
  t.deepEqual([gone.status, gone.text], [204, '']);
  t.deepEqual(await app.context().query(sql`select id from deploy_keys where id = ${id}`), []);
  const missing = [
    await client.get(`${project.path}/${id}`),
    await client.put(`${project.path}/${id}`, { can_push: true }),
    await client.delete(`${project.path}/${id}`),
    await client.post(`${project.path}/${id}/enable`),
  ];
  t.deepEqual(
    missing.map(({ status, body }) => [status, body.message]),
    [
      [404, '404 Not found'],
      [404, '404 Not found'],
      [404, '404 Deploy key Not Found'],
      [404, '404 Deploy key Not Found'],
    ],
  );
});

test('a key that changed after If-Unmodified-Since is not removed: 412', async (t) => {
  const project = await keyedProject(app);
  const { id } = await keyIn(app, project);
  const since = (day: string) => app.as(project.owner).with({ 'If-Unmodified-Since': day });
  t.is((await since('Mon, 31 Dec 2029 00:00:00 GMT').delete(`${project.path}/${id}`)).status, 412);
  t.is((await since('Wed, 02 Jan 2030 00:00:00 GMT').delete(`${project.path}/${id}`)).status, 204);
});

// Contract: deploy-keys.one-record
test('the same key in two projects of its owner is one record, with a right to push for each', async (t) => {
  const one = await keyedProject(app);
  const two = await keyedProject(app, { owner: one.owner });
  const key = await keyIn(app, one, { title: 'First', can_push: true });
  const again = await keyIn(app, two, { key: `${key.key} other-comment`, title: 'Second' });
  t.like(again, { id: key.id, title: 'First', key: key.key, can_push: false });
  await app.as(one.owner).put(`${two.path}/${key.id}`, { can_push: true });
  await app.as(one.owner).put(`${one.path}/${key.id}`, { can_push: false });
  t.false((await app.as(one.owner).get(`${one.path}/${key.id}`)).body.can_push);
  t.true((await app.as(one.owner).get(`${two.path}/${key.id}`)).body.can_push);
  await app.as(one.owner).delete(`${one.path}/${key.id}`);
  t.is((await app.as(one.owner).get(`${two.path}/${key.id}`)).status, 200);
});

// Contract: deploy-keys.doubled
test('the same text again answers the key that is there, another comment is refused as taken', async (t) => {
  const project = await keyedProject(app);
  const key = await keyIn(app, project, { key: ed25519('a@b') });
  const again = await app.as(project.owner).post(project.path, { title: 'Other', key: key.key, can_push: true });
  t.deepEqual([again.status, again.body], [201, key as unknown]);
  const [type, base64] = key.key.split(' ');
  const other = await app.as(project.owner).post(project.path, { title: 'Other', key: `${type} ${base64} c@d` });
  t.deepEqual([other.status, other.body], [400, TAKEN]);
});

// Contract: deploy-keys.taken
test('a key of a project that the caller is no member of is taken, and neither joined nor shown', async (t) => {
  const theirs = await keyedProject(app, { visibility: 'public' });
  const mine = await keyedProject(app);
  const { key, id } = await keyIn(app, theirs);
  const rejection = await app.as(mine.owner).post(mine.path, { title: 'Mine', key });
  t.deepEqual([rejection.status, rejection.body], [400, TAKEN]);
  const enabled = await app.as(mine.owner).post(`${mine.path}/${id}/enable`);
  t.deepEqual([enabled.status, enabled.body], [404, { message: '404 Deploy key Not Found' }]);
  t.deepEqual((await app.as(mine.owner).get(mine.path)).body, []);
});

// Contract: deploy-keys.enable
test('a member of another project enables its key, which only reads, and once more changes nothing', async (t) => {
  const theirs = await keyedProject(app);
  const mine = await keyedProject(app);
  await app.build.member(theirs, 'guest', mine.owner);
  const key = await keyIn(app, theirs, { can_push: true });
  const enabled = await app.as(mine.owner).post(`${mine.path}/${key.id}/enable`);
  t.deepEqual([enabled.status, enabled.body], [201, { ...key, can_push: false } as unknown]);
  await app.as(mine.owner).put(`${mine.path}/${key.id}`, { can_push: true });
  t.true((await app.as(mine.owner).post(`${mine.path}/${key.id}/enable`)).body.can_push);
});

test('an administrator enables any key', async (t) => {
  const [one, two] = [await keyedProject(app), await keyedProject(app)];
  const { id } = await keyIn(app, one);
  const admin = app.as(await app.build.admin());
  t.is((await admin.post(`${two.path}/${id}/enable`)).status, 201);
});

// Contract: deploy-keys.title
test('the title of a key of several projects is changed by administrators alone; others keep it, unverified', async (t) => {
  const one = await keyedProject(app);
  const two = await keyedProject(app, { owner: one.owner });
  const { id, key } = await keyIn(app, one, { title: 'First' });
  await keyIn(app, two, { key });
  const put = (user: typeof one.owner) => app.as(user).put(`${two.path}/${id}`, { title: 'Second', can_push: true });
  t.like((await put(one.owner)).body, { title: 'First', can_push: true });
  t.like((await put(await app.build.admin())).body, { title: 'Second' });
  t.is((await app.as(one.owner).get(`${one.path}/${id}`)).body.title, 'Second');
});

// Contract: deploy-keys.instance
test('administrators list all keys with the projects that have them; nobody else does', async (t) => {
  const one = await keyedProject(app);
  const two = await keyedProject(app, { owner: one.owner });
  const key = await keyIn(app, one, { can_push: true });
  await keyIn(app, two, { key: key.key });
  const admin = app.as(await app.build.admin());
  const { status, body } = await admin.get('/deploy_keys?per_page=100');
  t.is(status, 200);
  const deployKey = body.find(({ id }: { id: number }) => id === key.id) as Record<string, { id: number }[]>;
  t.false('can_push' in deployKey);
  t.deepEqual(ids(deployKey['projects_with_write_access']!), [one.id]);
  t.deepEqual(ids(deployKey['projects_with_readonly_access']!), [two.id]);
  const { body: project } = await admin.get(`/projects/${one.id}`);
  t.deepEqual(
    deployKey['projects_with_write_access']![0] as object,
    Object.fromEntries(
      ['id', 'description', 'name', 'name_with_namespace', 'path', 'path_with_namespace', 'created_at'].map((name) => [
        name,
        project[name],
      ]),
    ),
  );
  const offered = (await admin.get('/deploy_keys?public=true&per_page=100')).body as { id: number }[];
  t.false(ids(offered).includes(key.id));
  t.is((await app.as(one.owner).get('/deploy_keys')).status, 403);
  t.is((await app.anonymous.get('/deploy_keys')).status, 401);
});
