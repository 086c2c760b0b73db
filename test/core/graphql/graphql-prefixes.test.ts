import test from 'ava';
import { useApp } from '../app.js';

const app = useApp(test);

async function sandbox() {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const { body } = await owner.post(`/projects/${project.id}/pipeline_schedules`, {
    description: 'Nightly',
    ref: 'main',
    cron: '0 1 * * *',
  });
  return { project, owner, schedule: body.id as number };
}

// Contract: readme-decision-15.ids
test.serial("the public product's prefix is accepted wherever a global id is read", async (t) => {
  const { project, owner, schedule } = await sandbox();
  const user = await owner.graphql(`{ user(id: "gid://gitlab/User/${project.owner.id}") { id username } }`);
  t.deepEqual(user.body.data.user, {
    id: `gid://service/User/${project.owner.id}`,
    username: project.owner.username,
  });
  const byVariable = await owner.graphql('query($id: UserID!) { user(id: $id) { username } }', {
    id: `gid://gitlab/User/${project.owner.id}`,
  });
  t.is(byVariable.body.data.user.username, project.owner.username);
  const plain = await owner.graphql(`{ projects(ids: ["gid://gitlab/Project/${project.id}"]) { nodes { fullPath } } }`);
  t.deepEqual(plain.body.data.projects.nodes, [{ fullPath: project.full_path }]);
  const changed = await owner.graphql(`mutation { pipelineScheduleUpdate(input: {
    id: "gid://gitlab/Ci::PipelineSchedule/${schedule}", description: "Weekly" }) {
    pipelineSchedule { description } errors } }`);
  t.deepEqual(changed.body.data.pipelineScheduleUpdate, { pipelineSchedule: { description: 'Weekly' }, errors: [] });
  const wrong = await owner.graphql('{ user(id: "gid://gitlab/Project/1") { id } }');
  t.regex(wrong.body.errors[0].message, /does not represent an instance of User/);
  const other = await owner.graphql('{ user(id: "gid://acme/User/1") { id } }');
  t.regex(other.body.errors[0].message, /is not a Service Global ID/);
});

const EVERYTHING = `query($path: ID!) {
  currentUser { id namespace { id } groupMemberships { nodes { id } } projectMemberships { nodes { id } } }
  group(fullPath: "no/such") { id }
  project(fullPath: $path) {
    id namespace { id }
    pipelines { nodes { id user { id } } }
    pipelineSchedules { nodes { id owner { id } variables { nodes { id } } } }
  }
}`;

/** Every `id` of an answer. */
function idsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(idsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === 'id' ? [String(inner)] : idsIn(inner)));
}

// Contract: settings-18
test.serial('with compatibility_prefix answers say it in every global id, and take what they say', async (t) => {
  const { project, owner, schedule } = await sandbox();
  await owner.post(`/projects/${project.id}/pipeline_schedules/${schedule}/variables`, { key: 'A', value: '1' });
  await owner.post(`/projects/${project.id}/pipeline`, { ref: 'main' });
  const ask = async () => idsIn((await owner.graphql(EVERYTHING, { path: project.full_path })).body.data);
  const usual = await ask();
  t.true(usual.length >= 9);
  t.true(usual.every((id) => id.startsWith('gid://service/')));
  for (const prefix of ['gitlab', 'acme_1-x']) {
    await app.set({ compatibility_prefix: prefix });
    t.deepEqual(
      await ask(),
      usual.map((id) => id.replace('gid://service/', `gid://${prefix}/`)),
    );
    for (const idPrefix of [prefix, 'service', 'gitlab']) {
      const id = `gid://${idPrefix}/User/${project.owner.id}`;
      const { body } = await owner.graphql('query($id: UserID!) { user(id: $id) { username } }', { id });
      t.is(body.data?.user?.username, project.owner.username, id);
    }
  }
  await app.set({ compatibility_prefix: '' });
  t.deepEqual(await ask(), usual);
});
