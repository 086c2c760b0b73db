import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { create, getPath, ring } from '../pipeline-schedules/schedule-steps.js';

const app = useApp(test);
const INPUTS = [
  { name: 'text', value: 'only for some' },
  { name: 'number', value: 7 },
  { name: 'flag', value: false },
  { name: 'list', value: ['a', 1] },
];

/** A due run of a Developer's schedule with inputs, and users of all kinds who may request them. */
async function runWithInputs() {
  const project = await app.build.project();
  await app.as(project.owner).post(`/projects/${project.id}/repository/branches`, { branch: 'work', ref: 'main' });
  const author = await app.build.member(project, 'developer');
  const people: Record<string, BuiltUser> = {
    author,
    developer: await app.build.member(project, 'developer'),
    reporter: await app.build.member(project, 'reporter'),
    maintainer: await app.build.member(project, 'maintainer'),
    owner: project.owner,
  };
  const { body: schedule } = await create(app.as(author), project, { ref: 'work', cron: '0 * * * *', inputs: INPUTS });
  app.clock.advance('1 hour');
  await ring(app);
  const [run] = (await app.as(project.owner).get(getPath(project, `/${schedule.id}/pipelines`))).body;
  return { project, people, run: run as { id: number; iid: number } };
}

// Contract: delivery-3.inputs
test.serial(
  'the inputs of a scheduled run are read by whom its variables are shown to, with their types',
  async (t) => {
    const { project, people, run } = await runWithInputs();
    const path = `/projects/${project.id}/pipelines/${run.id}`;
    for (const [name, user] of Object.entries(people)) {
      const client = app.as(user);
      const visible = (await client.get(`${path}/variables`)).status === 200;
      t.is(visible, ['author', 'maintainer', 'owner'].includes(name), name);
      const { status, body } = await client.get(`${path}/inputs`);
      t.is(status, visible ? 200 : 403, name);
      t.deepEqual(body, visible ? INPUTS : { message: '403 Forbidden' }, name);
      const { body: queried } = await client.graphql(`{ project(fullPath: "${project.full_path}") {
      pipeline(iid: "${run.iid}") { inputs { nodes { name value } } } pipelines { nodes { inputs { nodes { name value } } } } } }`);
      const inputs = visible ? { nodes: INPUTS } : null;
      t.deepEqual(queried.data.project, { pipeline: { inputs }, pipelines: { nodes: [{ inputs }] } }, name);
    }
    t.is((await app.as(await app.build.user()).get(`${path}/inputs`)).status, 404);
  },
);

// Contract: delivery-3.inputs
test('a pipeline shows the inputs that it was created with, none when there were none', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const createPipeline = async (inputs?: object) => {
    const { body } = await owner.post(`/projects/${project.id}/pipeline`, { ref: 'main', inputs });
    return (await owner.get(`/projects/${project.id}/pipelines/${body.id}/inputs`)).body;
  };
  t.deepEqual(await createPipeline({ flag: true }), [{ name: 'flag', value: true }]);
  t.deepEqual(await createPipeline(), []);
});

// Contract: delivery-3.inputs
test('a value of an input is at most a mebibyte long', async (t) => {
  const project = await app.build.project();
  const post = (value: string) =>
    app.as(project.owner).post(`/projects/${project.id}/pipeline`, { ref: 'main', inputs: { long: value } });
  t.is((await post('x'.repeat(1024 * 1024 - 2))).status, 201);
  const { status, body } = await post('x'.repeat(1024 * 1024 - 1));
  t.is(status, 400);
  t.deepEqual(body, { message: { 'inputs.value': ['is too long (maximum is 1048576 characters)'] } });
});
