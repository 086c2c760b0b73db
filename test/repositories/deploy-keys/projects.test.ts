import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { keyedProject, keyIn } from './keys.js';

const app = useApp(test);

const isThere = async (id: number) =>
  (await app.context().query(sql`select id from deploy_keys where id = ${id}`)).length > 0;

/** Deletes a project as jobs do, at once. */
const removeProject = (id: number) => app.context().query(sql`delete from projects where id = ${id}`);

// Contract: deploy-keys.removal
test('a key goes with the last project that has it', async (t) => {
  const one = await keyedProject(app);
  const two = await keyedProject(app, { owner: one.owner });
  const shared = await keyIn(app, one, { can_push: true });
  const own = await keyIn(app, one);
  await keyIn(app, two, { key: shared.key });
  await app.as(one.owner).post(`/projects/${one.id}/protected_tags`, {
    name: 'v*',
    allowed_to_create: [{ deploy_key_id: shared.id }],
  });
  await removeProject(one.id);
  t.deepEqual([await isThere(shared.id), await isThere(own.id)], [true, false]);
  await removeProject(two.id);
  t.false(await isThere(shared.id));
});

// Contract: deploy-keys.removal
test('a key whose last two links go at one instant is not left behind', async (t) => {
  for (let round = 0; round < 5; round += 1) {
    const one = await keyedProject(app);
    const two = await keyedProject(app, { owner: one.owner });
    const { id, key } = await keyIn(app, one);
    await keyIn(app, two, { key });
    const client = app.as(one.owner);
    const gone = await Promise.all([one, two].map(({ path }) => client.delete(`${path}/${id}`)));
    t.deepEqual(
      gone.map(({ status }) => status),
      [204, 204],
    );
    t.false(await isThere(id));
  }
});

// Contract: deploy-keys.moves
test('keys stay with a project that moves to another namespace, and a fork gets none', async (t) => {
  const project = await app.build.project();
  const keyed = { id: project.id, owner: project.owner, path: `/projects/${project.id}/deploy_keys` };
  const group = await app.build.group({ owner: project.owner });
  const key = await keyIn(app, keyed);
  const client = app.as(project.owner);
  const fork = await client.post(`/projects/${project.id}/fork`, { namespace_id: group.id });
  t.is(fork.status, 201);
  t.deepEqual((await client.get(`/projects/${fork.body.id}/deploy_keys`)).body, []);
  const moved = await client.put(`/projects/${project.id}`, { name: 'Moved', path: 'moved' });
  t.is(moved.status, 200);
  const other = await app.build.group({ owner: project.owner });
  t.is((await client.put(`/projects/${project.id}/transfer`, { namespace: other.id })).status, 200);
  t.deepEqual((await client.get(keyed.path)).body, [key]);
});
