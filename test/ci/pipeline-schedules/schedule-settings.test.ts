import test from 'ava';
import { scheduleSettings } from '../../../shared/ci/pipeline-schedules/schedule-settings.js';
import { settingEntries } from '../../../shared/tenancy/namespaces/declared-settings.js';
import { useApp } from '../../core/app.js';
import { otherValues } from '../../tenancy/containers/other-value.js';
import { create, getPath, NIGHTLY } from './schedule-steps.js';

const app = useApp(test);

const SETTINGS = settingEntries(scheduleSettings);
const INITIAL = Object.fromEntries(SETTINGS.map(([name, { initial }]) => [name, initial]));
const OTHER = otherValues(scheduleSettings);

test('each declared setting begins with its default, is written with its schedule, and stays where an edit leaves it out', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const { body: plain } = await create(owner, project);
  t.like(plain, INITIAL);
  t.like((await create(owner, project, OTHER)).body, OTHER);
  const path = getPath(project, `/${plain.id}`);
  t.like((await owner.put(path, { description: 'Other' })).body, INITIAL);
  t.like((await owner.put(path, OTHER)).body, OTHER);
  t.like((await owner.put(path, { description: 'Another' })).body, OTHER);
  t.like((await owner.get(path)).body, OTHER);
  const { body: list } = await owner.get(getPath(project));
  for (const listed of list) t.like(listed, OTHER);
});

test('changes of each declared setting are in the audit log', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const { body: schedule } = await create(owner, project);
  await owner.put(getPath(project, `/${schedule.id}`), OTHER);
  const { body: events } = await owner.get(
    `/projects/${project.id}/audit_events?target_type=PipelineSchedule&target_id=${schedule.id}`,
  );
  const changes = new Set(events.map(({ details }: { details: { change?: string } }) => details.change));
  for (const [name] of SETTINGS) t.true(changes.has(name), name);
});

test('GraphQL shows and writes each declared setting', async (t) => {
  const project = await app.build.project();
  const fields = SETTINGS.map(([name, one]) => ({
    field: name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    // A choice is a value of an enum.
    inGraphql: (value: unknown) => (one.param.meta()?.enum ? String(value).toUpperCase() : value),
    name,
  }));
  const from = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(fields.map(({ field, inGraphql, name }) => [field, inGraphql(values[name])]));
  const mutate = async (name: 'Create' | 'Update', input: object) => {
    const query = `mutation($input: PipelineSchedule${name}Input!) { pipelineSchedule${name}(input: $input) {
      errors pipelineSchedule { id ${fields.map(({ field }) => field).join(' ')} } } }`;
    const { body } = await app.as(project.owner).graphql(query, { input });
    t.is(body.errors, undefined);
    const { id, ...values } = body.data[`pipelineSchedule${name}`].pipelineSchedule;
    return { id, values };
  };
  const { id, values } = await mutate('Create', { ...NIGHTLY, projectPath: project.full_path });
  t.deepEqual(values, from(INITIAL));
  t.deepEqual(
    (await mutate('Create', { ...NIGHTLY, projectPath: project.full_path, ...from(OTHER) })).values,
    from(OTHER),
  );
  t.deepEqual((await mutate('Update', { id, ...from(OTHER) })).values, from(OTHER));
  t.deepEqual((await mutate('Update', { id, description: 'Other' })).values, from(OTHER));
});
