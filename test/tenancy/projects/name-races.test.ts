import test from 'ava';
import { useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import type { Answer } from '../../core/client.js';

const app = useApp(test);

const ROUNDS = 5;
const TEXT = ['has already been taken'];
const NAME_TAKEN = { message: { name: TEXT, 'project_namespace.name': TEXT } };
const statuses = (answers: readonly Answer[]) => answers.map(({ status }) => status).toSorted();
const findErrorBody = (answers: readonly Answer[]) => answers.find(({ status }) => status >= 400)?.body;

/** A group with its owner as a caller. */
async function setUp() {
  const group = await app.build.group();
  return { group, owner: app.as(group.owner) };
}

// Contract: core-5.names
test('of two projects of one name made in a group at once one is made, the other 400', async (t) => {
  const { group, owner } = await setUp();
  for (let round = 0; round < ROUNDS; round += 1) {
    const attributes = { name: `Same ${round}`, namespace_id: group.id };
    const answers = await Promise.all(
      ['one', 'two'].map((path) => owner.post('/projects', { ...attributes, path: `${path}-${round}` })),
    );
    t.deepEqual(statuses(answers), [201, 400]);
    t.deepEqual(findErrorBody(answers), NAME_TAKEN);
  }
  t.is((await owner.get(`/groups/${group.id}/projects`)).body.length, ROUNDS);
});

// Contract: core-5.places
test('of two projects of one path made in a group at once one is made, the other 400', async (t) => {
  const { group, owner } = await setUp();
  for (let round = 0; round < ROUNDS; round += 1) {
    const attributes = { path: `same-${round}`, namespace_id: group.id };
    const answers = await Promise.all(
      ['One', 'Two'].map((name) => owner.post('/projects', { ...attributes, name: `${name} ${round}` })),
    );
    t.deepEqual(statuses(answers), [201, 400]);
    t.deepEqual(findErrorBody(answers), { message: { path: TEXT, 'project_namespace.name': TEXT } });
  }
});

// Contract: core-5.places
test('one request sent twice at once makes one project; the other answer tells everything that is taken', async (t) => {
  const { group, owner } = await setUp();
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await Promise.all(
      [1, 2].map(() => owner.post('/projects', { name: `Twice ${round}`, namespace_id: group.id })),
    );
    t.deepEqual(statuses(answers), [201, 400]);
    t.deepEqual(findErrorBody(answers), { message: { path: TEXT, ...NAME_TAKEN.message } });
  }
});

// Contract: core-5.names
test('names are told apart by case, and by namespace', async (t) => {
  const { group, owner } = await setUp();
  const other = await app.build.group({ owner: group.owner });
  const make = (name: string, namespace_id: number) =>
    owner.post('/projects', { name, path: `p${unique()}`, namespace_id });
  t.is((await make('Rocket', group.id)).status, 201);
  t.is((await make('rocket', group.id)).status, 201);
  t.is((await make('Rocket', other.id)).status, 201);
  const answer = await make('Rocket', group.id);
  t.is(answer.status, 400);
  t.deepEqual(answer.body, NAME_TAKEN);
});

// Contract: core-5.names
test('of two renames to one name at once one is made, the other 400', async (t) => {
  const { group, owner } = await setUp();
  const projects = await Promise.all([1, 2].map(() => app.build.projectIn(group)));
  for (let round = 0; round < ROUNDS; round += 1) {
    const answers = await Promise.all(
      projects.map(({ id }) => owner.put(`/projects/${id}`, { name: `Wanted ${round}` })),
    );
    t.deepEqual(statuses(answers), [200, 400]);
    t.deepEqual(findErrorBody(answers), NAME_TAKEN);
  }
});

// Contract: core-5.names
test('a rename and a creation of one name at once: one is made, the other 400', async (t) => {
  const { group, owner } = await setUp();
  for (let round = 0; round < ROUNDS; round += 1) {
    const { id } = await app.build.projectIn(group);
    const name = `Wanted ${round}`;
    const [renamed, response] = await Promise.all([
      owner.put(`/projects/${id}`, { name }),
      owner.post('/projects', { name, path: `made-${round}`, namespace_id: group.id }),
    ]);
    t.true(renamed.status === 200 ? response.status === 400 : renamed.status === 400 && response.status === 201);
    t.deepEqual(findErrorBody([renamed, response]), NAME_TAKEN);
  }
});

// Contract: core-5.names
test('two projects of one name transferred to one group at once: one 200, one 400', async (t) => {
  const { group: target, owner } = await setUp();
  for (let round = 0; round < ROUNDS; round += 1) {
    const groups = await Promise.all([1, 2].map(() => app.build.group({ owner: target.owner })));
    const projects = await Promise.all(
      groups.map(({ id }) =>
        owner.post('/projects', { name: `Same ${round}`, path: `p${unique()}`, namespace_id: id }),
      ),
    );
    const answers = await Promise.all(
      projects.map(({ body }) => owner.put(`/projects/${body.id}/transfer`, { namespace: target.id })),
    );
    t.deepEqual(statuses(answers), [200, 400]);
    t.deepEqual(findErrorBody(answers), {
      message:
        'Failed to transfer project {:new_namespace=>["Project with same name or path in target namespace already exists"]}',
    });
  }
});

// Contract: core-5.places
test('a transfer and a creation of one path in the target at once: one of them has it', async (t) => {
  const { group: target, owner } = await setUp();
  for (let round = 0; round < ROUNDS; round += 1) {
    const group = await app.build.group({ owner: target.owner });
    const path = `same-${round}`;
    const { body: project } = await owner.post('/projects', { name: `Moved ${round}`, path, namespace_id: group.id });
    const [moved, response] = await Promise.all([
      owner.put(`/projects/${project.id}/transfer`, { namespace: target.id }),
      owner.post('/projects', { name: `Made ${round}`, path, namespace_id: target.id }),
    ]);
    t.true(moved.status === 200 ? response.status === 400 : moved.status === 400 && response.status === 201);
    const { body } = await owner.get(`/projects/${encodeURIComponent(`${target.full_path}/${path}`)}`);
    t.is(body.id, moved.status === 200 ? project.id : response.body.id);
    const left = await owner.get(`/projects/${project.id}`);
    t.is(left.body.namespace.id, moved.status === 200 ? target.id : group.id);
  }
});

// Contract: core-5.places
test('a project transferred while it is renamed ends in the new place by the new name', async (t) => {
  const { group: target, owner } = await setUp();
  for (let round = 0; round < ROUNDS; round += 1) {
    const group = await app.build.group({ owner: target.owner });
    const { id, full_path: was } = await app.build.projectIn(group);
    const names = { name: `New ${round}`, path: `new-${round}` };
    const answers = await Promise.all([
      owner.put(`/projects/${id}/transfer`, { namespace: target.id }),
      owner.put(`/projects/${id}`, names),
    ]);
    t.deepEqual(statuses(answers), [200, 200]);
    const { body } = await owner.get(`/projects/${id}`);
    t.is(body.path_with_namespace, `${target.full_path}/${names.path}`);
    t.is(body.name_with_namespace, `${target.full_name} / ${names.name}`);
    t.is((await owner.get(`/projects/${encodeURIComponent(was)}`)).status, 301);
  }
});

// Contract: core-5.places
test('a project made while its person is renamed, or given another limit, is made, and lies below the new path', async (t) => {
  const admin = app.as(await app.build.admin());
  for (let round = 0; round < ROUNDS; round += 1) {
    const user = await app.build.user();
    const username = `renamed${unique()}`;
    const [response, renamed, limited] = await Promise.all([
      app.as(user).post('/projects', { name: 'Mine' }),
      admin.put(`/users/${user.id}`, { username }),
      admin.put(`/users/${user.id}`, { projects_limit: 50 }),
    ]);
    t.deepEqual([response.status, renamed.status, limited.status], [201, 200, 200]);
    const { body } = await app.as(user).get(`/projects/${response.body.id}`);
    t.is(body.path_with_namespace, `${username}/mine`);
  }
});

// Contract: core-5.places
test('a project transferred while it is deleted is either, and found by where it is then', async (t) => {
  const { group: target, owner } = await setUp();
  for (let round = 0; round < ROUNDS; round += 1) {
    const group = await app.build.group({ owner: target.owner });
    const { id } = await app.build.projectIn(group);
    const [moved, deleted] = await Promise.all([
      owner.put(`/projects/${id}/transfer`, { namespace: target.id }),
      owner.delete(`/projects/${id}`),
    ]);
    t.is(deleted.status, 202);
    t.true([200, 400].includes(moved.status));
    const { body } = await owner.get(`/projects/${id}`);
    t.is(body.namespace.id, moved.status === 200 ? target.id : group.id);
    t.truthy(body.marked_for_deletion_on);
    t.is((await owner.get(`/projects/${encodeURIComponent(body.path_with_namespace)}`)).body.id, id);
    t.is((await owner.post(`/projects/${id}/restore`)).status, 201);
  }
});
