import test from 'ava';
import { useApp } from '../../core/app.js';
import { ed25519, keyedProject } from './keys.js';

const app = useApp(test);

const adminClient = async () => app.as(await app.build.admin());

// Contract: deploy-keys.public
test('administrators make a key that every project may enable, and that stays when none has it', async (t) => {
  const admin = await adminClient();
  const key = ed25519();
  const { status, body } = await admin.post('/deploy_keys', { title: 'Everywhere', key, expires_at: '2031-01-01' });
  t.is(status, 201, JSON.stringify(body));
  t.like(body, {
    title: 'Everywhere',
    key,
    expires_at: '2031-01-01T00:00:00.000Z',
    projects_with_write_access: [],
    projects_with_readonly_access: [],
  });
  const offered = async () =>
    (await admin.get('/deploy_keys?public=true&per_page=100')).body.find(({ id }: { id: number }) => id === body.id);
  t.deepEqual(await offered(), body);
  const [one, two] = [await keyedProject(app), await keyedProject(app)];
  const enabled = await app.as(one.owner).post(`${one.path}/${body.id}/enable`);
  t.is(enabled.status, 201);
  t.like(enabled.body, { id: body.id, can_push: false });
  // By its text as well, with the right to push.
  t.like((await app.as(two.owner).post(two.path, { title: 'x', key, can_push: true })).body, {
    id: body.id,
    title: 'Everywhere',
    can_push: true,
  });
  const deployKey = await offered();
  t.is(deployKey.projects_with_readonly_access[0].id, one.id);
  t.is(deployKey.projects_with_write_access[0].id, two.id);
  await app.as(one.owner).put(`${one.path}/${body.id}`, { title: 'Mine', can_push: true });
  t.is((await app.as(one.owner).get(`${one.path}/${body.id}`)).body.title, 'Everywhere');
  for (const project of [one, two])
    t.is((await app.as(project.owner).delete(`${project.path}/${body.id}`)).status, 204);
  t.like(await offered(), { id: body.id, projects_with_write_access: [] });
});

// Contract: deploy-keys.public
test('only administrators make and remove public keys; a bad or known key is 400 and nothing is kept', async (t) => {
  const admin = await adminClient();
  const user = app.as(await app.build.user());
  const key = ed25519();
  t.is((await app.anonymous.post('/deploy_keys', { title: 'x', key })).status, 401);
  t.is((await user.post('/deploy_keys', { title: 'x', key })).status, 403);
  t.deepEqual((await admin.post('/deploy_keys', {})).body, { error: 'key is missing, title is missing' });
  t.is((await admin.post('/deploy_keys', { title: 'x', key: 'ssh-rsa nothing' })).status, 400);
  const { body: empty } = await admin.post('/deploy_keys', { title: ' ', key });
  t.deepEqual(empty, { message: { 'deploy_key.title': ["can't be blank"] } });
  const past = await admin.post('/deploy_keys', { title: 'x', key, expires_at: '2020-01-01' });
  t.deepEqual(past.body, { message: { 'deploy_key.key': ['has expired'] } });
  const { status, body } = await admin.post('/deploy_keys', { title: 'x', key });
  t.is(status, 201, 'none of these kept it');
  t.deepEqual((await admin.post('/deploy_keys', { title: 'y', key })).body, {
    message: { 'deploy_key.fingerprint_sha256': ['has already been taken'] },
  });
  t.is((await user.delete(`/deploy_keys/${body.id}`)).status, 403);
  const project = await keyedProject(app);
  await app.as(project.owner).post(`${project.path}/${body.id}/enable`);
  t.is((await admin.delete(`/deploy_keys/${body.id}`)).status, 204);
  t.is((await app.as(project.owner).get(`${project.path}/${body.id}`)).status, 404, 'it went from the project too');
  t.is((await admin.delete(`/deploy_keys/${body.id}`)).status, 404);
  const own = (await app.as(project.owner).post(project.path, { title: 'own', key: ed25519() })).body;
  t.is((await admin.delete(`/deploy_keys/${own.id}`)).status, 404, 'a key of a project is removed there');
});

// Contract: deploy-keys.public, deploy-keys.audit
test('making and removing a public key stand in the log of the instance', async (t) => {
  const admin = await adminClient();
  const { body } = await admin.post('/deploy_keys', { title: 'Audited', key: ed25519() });
  await admin.delete(`/deploy_keys/${body.id}`);
  const { body: events } = await admin.get('/audit_events?per_page=100');
  const notes = (events as { entity_type: string; details: Record<string, unknown> }[]).filter(
    ({ details }) => details['target_details'] === 'Audited',
  );
  t.is(notes.length, 2);
});
