import test from 'ava';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';
import { create, getPath } from './schedule-steps.js';

const app = useApp(test);

interface AuditEvent {
  event_name: string;
  author_id: number | null;
  details: { custom_message: string; target_details: string; change?: string; from?: string; to?: string };
}

/** The audit events of a schedule in the project's log, oldest first. */
async function listAuditEvents(reader: Client, project: { id: number }, id: number): Promise<AuditEvent[]> {
  const { status, body } = await reader.get(
    `/projects/${project.id}/audit_events?target_type=PipelineSchedule&target_id=${id}&sort=asc&per_page=100`,
  );
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as AuditEvent[];
}

const eventNames = (events: readonly AuditEvent[]) =>
  events.map(({ event_name: name, details: { change } }) => (change === undefined ? name : `${name} ${change}`));

// Contract: schedules-audit
test('who changed a schedule and when is told, attribute by attribute, in the audit log', async (t) => {
  const project = await app.build.project();
  const [owner, maintainer] = [app.as(project.owner), await app.build.member(project, 'maintainer')];
  const { body: schedule } = await create(owner, project);
  const one = getPath(project, `/${schedule.id}`);
  app.clock.advance('1 hour');
  await owner.put(one, { cron: '30 2 * * *', description: 'Nightly build', active: false });
  await owner.put(one, { active: true });
  await app.as(maintainer).post(`${one}/take_ownership`);
  t.is((await app.as(maintainer).delete(one)).status, 200);
  const events = await listAuditEvents(owner, project, schedule.id);
  t.deepEqual(eventNames(events), [
    'pipeline_schedule_created',
    'pipeline_schedule_updated description',
    'pipeline_schedule_updated cron',
    'pipeline_schedule_deactivated active',
    'pipeline_schedule_activated active',
    'pipeline_schedule_ownership_taken owner_id',
    'pipeline_schedule_deleted',
  ]);
  t.deepEqual(
    events.map(({ author_id }) => author_id),
    [...Array.from({ length: 5 }, () => project.owner.id), maintainer.id, maintainer.id],
  );
  t.like(events[2]?.details, {
    custom_message: 'Changed cron from "0 1 * * *" to "30 2 * * *"',
    target_details: 'Nightly build',
    from: '0 1 * * *',
    to: '30 2 * * *',
  });
  t.is(events[3]?.details.custom_message, 'Deactivated pipeline schedule Nightly build');
});

// Contract: schedules-audit
test('an edit that changes nothing is not told', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const { body: schedule } = await create(owner, project);
  const { id, description, cron, active } = schedule;
  t.is((await owner.put(getPath(project, `/${id}`), { description, cron, active })).status, 200);
  t.deepEqual(eventNames(await listAuditEvents(owner, project, id)), ['pipeline_schedule_created']);
});

// Contract: schedules-audit.values
test('variables and inputs are told by their names, never with their values', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const { body: schedule } = await create(owner, project);
  const one = getPath(project, `/${schedule.id}`);
  await owner.post(`${one}/variables`, { key: 'LEVEL', value: 'hush-one' });
  await owner.put(`${one}/variables/LEVEL`, { value: 'hush-two' });
  await owner.delete(`${one}/variables/LEVEL`);
  await owner.put(one, { inputs: [{ name: 'target', value: 'hush-three' }] });
  await owner.put(one, { inputs: [{ name: 'target', destroy: true }] });
  const events = await listAuditEvents(owner, project, schedule.id);
  t.deepEqual(
    events.slice(1).map(({ event_name, details }) => [event_name, details.custom_message]),
    [
      ['pipeline_schedule_variable_created', 'Added variable LEVEL'],
      ['pipeline_schedule_variable_updated', 'Changed variable LEVEL'],
      ['pipeline_schedule_variable_deleted', 'Removed variable LEVEL'],
      ['pipeline_schedule_updated', 'Set inputs target'],
      ['pipeline_schedule_updated', 'Removed inputs target'],
    ],
  );
  t.notRegex(JSON.stringify(events), /hush/);
});

// Contract: schedules-audit
test('that a schedule stops with its owner is told with who stopped the owner', async (t) => {
  const [admin, project] = [await app.build.admin(), await app.build.project()];
  const developer = await app.build.member(project, 'maintainer');
  const { body: schedule } = await create(app.as(developer), project);
  t.is((await app.as(admin).post(`/users/${developer.id}/block`)).status, 201);
  const [, stopped] = await listAuditEvents(app.as(project.owner), project, schedule.id);
  t.like(stopped, { event_name: 'pipeline_schedule_deactivated', author_id: admin.id });
  t.is(
    stopped?.details.custom_message,
    `Deactivated pipeline schedule Nightly, because its owner ${developer.username} is blocked`,
  );
});

// Contract: schedules-audit.seen, core-9.audit.target
test('changes are narrowed to one schedule; who is no Maintainer sees their own', async (t) => {
  const project = await app.build.project();
  await app.as(project.owner).post(`/projects/${project.id}/repository/branches`, { branch: 'free', ref: 'main' });
  const developer = await app.build.member(project, 'developer');
  const [{ body: first }, { body: second }] = [
    await create(app.as(project.owner), project, { ref: 'free' }),
    await create(app.as(developer), project, { ref: 'free' }),
  ];
  t.deepEqual(await listAuditEvents(app.as(developer), project, first.id), []);
  for (const reader of [project.owner, developer])
    t.deepEqual(eventNames(await listAuditEvents(app.as(reader), project, second.id)), ['pipeline_schedule_created']);
  const events = `/projects/${project.id}/audit_events`;
  const kind = await app.as(project.owner).get(`${events}?target_type=PipelineSchedule`);
  t.is(kind.body.length, 2);
  t.deepEqual((await app.as(project.owner).get(`${events}?target_type=Nothing`)).body, []);
  const rejection = await app.as(project.owner).get(`${events}?target_id=${first.id}`);
  t.deepEqual([rejection.status, rejection.body], [400, { error: 'target_type is missing' }]);
  t.is((await app.as(await app.build.user()).get(`${events}?target_type=PipelineSchedule`)).status, 404);
});

// Contract: schedules-audit.values
test('variables that GraphQL sends with a schedule are told as well, those that changed alone', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const { body: schedule } = await create(owner, project);
  const one = `gid://service/Ci::PipelineSchedule/${schedule.id}`;
  const variable = (key: string, value: string, more = {}) => ({ key, value, variableType: 'ENV_VAR', ...more });
  const update = async (variables: object[]): Promise<Map<string, string>> => {
    const { body } = await owner.graphql(
      `mutation ($input: PipelineScheduleUpdateInput!) { pipelineScheduleUpdate(input: $input) {
         errors pipelineSchedule { variables { nodes { id key } } } } }`,
      { input: { id: one, variables } },
    );
    const { errors, pipelineSchedule: updated } = body.data.pipelineScheduleUpdate;
    t.deepEqual(errors, []);
    return new Map(updated.variables.nodes.map(({ id, key }: { id: string; key: string }) => [key, id]));
  };
  const ids = await update([variable('A', 'hush-a'), variable('B', 'hush-b'), variable('C', 'hush-c')]);
  const id = (key: string) => ({ id: ids.get(key) });
  await update([
    variable('A', 'hush-a', id('A')),
    variable('B', 'hush-more', id('B')),
    variable('C', 'hush-c', { ...id('C'), destroy: true }),
  ]);
  await update([variable('D', 'hush-a', id('A'))]);
  const events = await listAuditEvents(owner, project, schedule.id);
  t.deepEqual(
    events.slice(1).map(({ details }) => details.custom_message),
    [
      'Added variable A',
      'Added variable B',
      'Added variable C',
      'Changed variable B',
      'Removed variable C',
      'Removed variable A',
      'Added variable D',
    ],
  );
  t.notRegex(JSON.stringify(events), /hush/);
});
