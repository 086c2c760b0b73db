import test from 'ava';
import { sql } from 'kysely';
import type { BuiltUser } from '../../core/builders.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

const gid = (id: number) => `gid://service/Ci::PipelineSchedule/${id}`;
const NOT_AVAILABLE =
  "The resource that you are attempting to access does not exist or you don't have permission to perform this action";
const SCHEDULE = `errors clientMutationId pipelineSchedule { id description cron cronTimezone ref active owner { username }
  variables { nodes { id key value variableType } } inputs { nodes { name value } } }`;

/** Runs one mutation; its payload, and the top-level errors. */
async function mutate(user: BuiltUser, name: string, input: Record<string, unknown>, selection = SCHEDULE) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const query = `mutation($input: ${type}!) { ${name}(input: $input) { ${selection} } }`;
  const { status, body } = await app.as(user).graphql(query, { input });
  return {
    status,
    payload: body.data?.[name],
    errors: body.errors as { message: string; path: string[] }[] | undefined,
  };
}

const VALID = { description: 'Nightly', cron: '0 1 * * *', ref: 'main' };

// Contract: graphql-5.9.1
test('a schedule is created with its variables and inputs, and the caller owns it', async (t) => {
  const project = await app.build.project();
  const { payload, errors } = await mutate(project.owner, 'pipelineScheduleCreate', {
    ...VALID,
    projectPath: project.full_path,
    clientMutationId: 'mine',
    cronTimezone: 'Asia/Tokyo',
    active: false,
    variables: [
      { key: 'A', value: '1', variableType: 'ENV_VAR' },
      { key: 'B', value: '2', variableType: 'FILE' },
    ],
    inputs: [{ name: 'n', value: [1, 'x'] }],
  });
  t.is(errors, undefined);
  t.is(payload.clientMutationId, 'mine');
  t.deepEqual(payload.errors, []);
  t.like(payload.pipelineSchedule, { ...VALID, cronTimezone: 'Asia/Tokyo', active: false });
  t.is(payload.pipelineSchedule.owner.username, project.owner.username);
  const keys = payload.pipelineSchedule.variables.nodes.map((node: { key: string; variableType: string }) => [
    node.key,
    node.variableType,
  ]);
  t.deepEqual(keys, [
    ['A', 'ENV_VAR'],
    ['B', 'FILE'],
  ]);
  t.deepEqual(payload.pipelineSchedule.inputs.nodes, [{ name: 'n', value: [1, 'x'] }]);
});

// Contract: graphql-5.9.1
test('defaults are those of REST: active, in UTC', async (t) => {
  const project = await app.build.project();
  const attributes = { ...VALID, projectPath: project.full_path, cronTimezone: null, active: null };
  const { payload } = await mutate(project.owner, 'pipelineScheduleCreate', attributes);
  t.like(payload.pipelineSchedule, { cronTimezone: 'UTC', active: true });
});

// Contract: graphql-5.9.1
test('what GraphQL creates, REST shows', async (t) => {
  const project = await app.build.project();
  await mutate(project.owner, 'pipelineScheduleCreate', { ...VALID, projectPath: project.full_path });
  const { body } = await app.as(project.owner).get(`/projects/${project.id}/pipeline_schedules`);
  t.like(body[0], { description: 'Nightly', ref: 'refs/heads/main', cron: '0 1 * * *' });
});

// Contract: graphql-4.7
test('broken rules about values are sentences in the payload, without a schedule', async (t) => {
  const project = await app.build.project();
  const create = async (changes: Record<string, unknown>) => {
    const result = await mutate(project.owner, 'pipelineScheduleCreate', {
      ...VALID,
      projectPath: project.full_path,
      ...changes,
    });
    t.is(result.errors, undefined);
    t.is(result.payload.pipelineSchedule, null);
    return result.payload.errors;
  };
  t.deepEqual(await create({ cron: 'never' }), ['Cron syntax is invalid']);
  t.deepEqual(await create({ cronTimezone: 'Nowhere' }), ['Cron timezone syntax is invalid']);
  t.deepEqual(await create({ ref: 'gone' }), ['Ref is ambiguous']);
  t.deepEqual(await create({ ref: ' ' }), ['ref is empty']);
  t.deepEqual(await create({ description: ' ', cron: 'x' }), ['Cron syntax is invalid', "Description can't be blank"]);
  const variable = (key: string) => ({ key, value: '', variableType: 'ENV_VAR' });
  t.deepEqual(await create({ variables: [variable('a b')] }), [
    "Variables key can contain only letters, digits and '_'.",
  ]);
  t.deepEqual(await create({ variables: [variable('A'), variable('A')] }), ['Variables key has already been taken']);
  const { body } = await app.as(project.owner).get(`/projects/${project.id}/pipeline_schedules`);
  t.deepEqual(body, []);
});

// Contract: graphql-1.3.5
test('creating needs Developer; everybody else gets the error that hides what exists', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const create = (user: BuiltUser, projectPath = project.full_path) =>
    mutate(user, 'pipelineScheduleCreate', { ...VALID, ref: 'refs/heads/open', projectPath });
  t.deepEqual((await create(await app.build.member(project, 'developer'))).payload.errors, []);
  for (const user of [await app.build.member(project, 'reporter'), await app.build.user()]) {
    const { status, payload, errors } = await create(user);
    t.is(status, 200);
    t.is(payload, null);
    t.is(errors?.[0]?.message, NOT_AVAILABLE);
    t.deepEqual(errors?.[0]?.path, ['pipelineScheduleCreate']);
  }
  t.is((await create(project.owner, 'no/where')).errors?.[0]?.message, NOT_AVAILABLE);
  t.is((await create(project.owner, String(project.id))).errors?.[0]?.message, NOT_AVAILABLE);
});

// Contract: graphql-5.9.2
test('variables are not set where the project forbids them, and then nothing is created', async (t) => {
  const project = await app.build.project();
  const developer = await app.build.member(project, 'developer');
  await app.context().query(sql`
    update projects set ci_pipeline_variables_minimum_override_role = 'maintainer' where id = ${project.id}`);
  const { payload } = await mutate(developer, 'pipelineScheduleCreate', {
    ...VALID,
    ref: 'refs/heads/open',
    projectPath: project.full_path,
    variables: [{ key: 'A', value: '1', variableType: 'ENV_VAR' }],
  });
  t.deepEqual(payload.errors, ['The current user is not authorized to set pipeline schedule variables']);
  t.is(payload.pipelineSchedule, null);
  const { body } = await app.as(developer).get(`/projects/${project.id}/pipeline_schedules`);
  t.deepEqual(body, []);
});

// Contract: graphql-5.9.3
test('an update changes what is given and leaves the rest', async (t) => {
  const schedule = await app.build.schedule({ cron_timezone: 'Asia/Tokyo' });
  const { payload } = await mutate(schedule.ownedBy, 'pipelineScheduleUpdate', {
    id: gid(schedule.id),
    cron: '5 5 * * *',
    active: false,
    description: null,
    inputs: [{ name: 'n', value: 1 }],
  });
  t.deepEqual(payload.errors, []);
  t.like(payload.pipelineSchedule, {
    cron: '5 5 * * *',
    active: false,
    description: 'Nightly',
    cronTimezone: 'Asia/Tokyo',
    ref: 'main',
  });
  t.deepEqual(payload.pipelineSchedule.inputs.nodes, [{ name: 'n', value: 1 }]);
});

// Contract: graphql-4.7, graphql-5.9.3
test('a refused update answers its errors with the schedule as it was', async (t) => {
  const schedule = await app.build.schedule();
  const { payload, errors } = await mutate(schedule.ownedBy, 'pipelineScheduleUpdate', {
    id: gid(schedule.id),
    cron: 'never',
    description: 'changed',
  });
  t.is(errors, undefined);
  t.deepEqual(payload.errors, ['Cron syntax is invalid']);
  t.like(payload.pipelineSchedule, { cron: '0 1 * * *', description: 'Nightly' });
});

// Contract: graphql-5.9.4
test('variables of an update are added without an id, edited and removed with one', async (t) => {
  const schedule = await app.build.schedule();
  const update = (variables: unknown[]) =>
    mutate(schedule.ownedBy, 'pipelineScheduleUpdate', { id: gid(schedule.id), variables });
  const plain = (key: string, value: string) => ({ key, value, variableType: 'ENV_VAR' });
  const added = (await update([plain('A', '1'), plain('B', '2'), plain('C', '3')])).payload.pipelineSchedule.variables
    .nodes;
  t.deepEqual(
    added.map((node: { key: string }) => node.key),
    ['A', 'B', 'C'],
  );
  const [a, b, c] = added as { id: string; key: string; value: string }[];
  const changed = await update([
    // Keys may even be swapped.
    { id: a!.id, ...plain('B', 'one') },
    { id: b!.id, ...plain('A', 'two') },
    { id: c!.id, ...plain('C', '3'), destroy: true },
    plain('D', '4'),
  ]);
  t.deepEqual(changed.payload.errors, []);
  const nodes = changed.payload.pipelineSchedule.variables.nodes as { id: string; key: string; value: string }[];
  t.deepEqual(
    nodes.map(({ key, value }) => [key, value]),
    [
      ['B', 'one'],
      ['A', 'two'],
      ['D', '4'],
    ],
  );
  t.is(nodes[0]?.id, a?.id);
  const answer = await update([plain('A', 'again')]);
  t.deepEqual(answer.payload.errors, ['Variables key has already been taken']);
});

// Contract: graphql-5.9.4
test('a variable of another schedule cannot be edited', async (t) => {
  const [one, two] = [await app.build.schedule(), await app.build.schedule()];
  const variable = { key: 'A', value: '1', variableType: 'ENV_VAR' };
  const response = await mutate(one.ownedBy, 'pipelineScheduleUpdate', { id: gid(one.id), variables: [variable] });
  const { id } = response.payload.pipelineSchedule.variables.nodes[0];
  const stolen = await mutate(two.ownedBy, 'pipelineScheduleUpdate', {
    id: gid(two.id),
    variables: [{ ...variable, id }],
  });
  t.is(stolen.payload, null);
  t.is(stolen.errors?.[0]?.message, NOT_AVAILABLE);
});

// Contract: graphql-5.9.5
test('a Maintainer who does not own a schedule may not update it, and may take it over', async (t) => {
  const schedule = await app.build.schedule();
  const maintainer = await app.build.member(schedule.project, 'maintainer');
  const update = () => mutate(maintainer, 'pipelineScheduleUpdate', { id: gid(schedule.id), description: 'mine' });
  t.is((await update()).errors?.[0]?.message, NOT_AVAILABLE);
  const answer = await mutate(maintainer, 'pipelineScheduleTakeOwnership', { id: gid(schedule.id) });
  t.deepEqual(answer.payload.errors, []);
  t.is(answer.payload.pipelineSchedule.owner.username, maintainer.username);
  t.is((await update()).payload.pipelineSchedule.description, 'mine');
});

// Contract: graphql-5.9.5
test('a Developer may not take over the schedule of somebody else', async (t) => {
  const schedule = await app.build.schedule();
  const developer = await app.build.member(schedule.project, 'developer');
  const { payload, errors } = await mutate(developer, 'pipelineScheduleTakeOwnership', { id: gid(schedule.id) });
  t.is(payload, null);
  t.is(errors?.[0]?.message, NOT_AVAILABLE);
});

// Contract: graphql-5.9.6
test('a delete answers only errors, and the schedule is gone', async (t) => {
  const schedule = await app.build.schedule();
  const remove = (user: BuiltUser) =>
    mutate(user, 'pipelineScheduleDelete', { id: gid(schedule.id), clientMutationId: 'x' }, 'clientMutationId errors');
  const developer = await app.build.member(schedule.project, 'developer');
  t.is((await remove(developer)).errors?.[0]?.message, NOT_AVAILABLE);
  t.deepEqual((await remove(schedule.ownedBy)).payload, { clientMutationId: 'x', errors: [] });
  t.is((await remove(schedule.ownedBy)).errors?.[0]?.message, NOT_AVAILABLE);
});

// Contract: graphql-5.6.7, graphql-5.9.7
test('play runs a schedule for the caller, with source schedule where REST says scheduled', async (t) => {
  const project = await app.build.project();
  await app.as(project.owner).post(`/projects/${project.id}/repository/branches`, { branch: 'open', ref: 'main' });
  const schedule = await app.build.schedule({ project, owner: project.owner, ref: 'open', active: false });
  const developer = await app.build.member(project, 'developer');
  const played = await mutate(developer, 'pipelineSchedulePlay', { id: gid(schedule.id) });
  t.deepEqual(played.payload.errors, []);
  t.is(played.payload.pipelineSchedule.id, gid(schedule.id));
  await app.work();
  const { body } = await app.as(developer).graphql(`{ project(fullPath: "${schedule.project.full_path}") {
    pipelineSchedules { nodes { nextRunAt lastPipeline { iid source ref refPath status user { username } } } } } }`);
  t.deepEqual(body.data.project.pipelineSchedules.nodes, [
    {
      nextRunAt: '2030-01-01T01:00:00.000Z',
      lastPipeline: {
        iid: '1',
        source: 'schedule',
        ref: 'open',
        refPath: 'refs/heads/open',
        status: 'PENDING',
        user: { username: developer.username },
      },
    },
  ]);
  const rest = await app.as(developer).get(`/projects/${schedule.project.id}/pipelines`);
  t.is(rest.body[0].source, 'scheduled');
});

// Contract: graphql-5.9.7
test('a Reporter may see a schedule and not play it', async (t) => {
  const schedule = await app.build.schedule();
  const reporter = await app.build.member(schedule.project, 'reporter');
  const { payload, errors } = await mutate(reporter, 'pipelineSchedulePlay', { id: gid(schedule.id) });
  t.is(payload, null);
  t.is(errors?.[0]?.message, NOT_AVAILABLE);
});

// Contract: graphql-5.6.missed-policy
test('what becomes of missed runs is chosen and edited', async (t) => {
  const project = await app.build.project();
  const selection = 'errors pipelineSchedule { id missedPolicy }';
  const input = { ...VALID, projectPath: project.full_path };
  const plain = await mutate(project.owner, 'pipelineScheduleCreate', input, selection);
  t.is(plain.payload.pipelineSchedule.missedPolicy, 'LAST');
  const all = await mutate(project.owner, 'pipelineScheduleCreate', { ...input, missedPolicy: 'ALL' }, selection);
  t.is(all.payload.pipelineSchedule.missedPolicy, 'ALL');
  const { id } = all.payload.pipelineSchedule;
  const edited = await mutate(project.owner, 'pipelineScheduleUpdate', { id, missedPolicy: 'SKIP' }, selection);
  t.is(edited.payload.pipelineSchedule.missedPolicy, 'SKIP');
  const answer = await mutate(project.owner, 'pipelineScheduleUpdate', { id, description: 'x' }, selection);
  t.is(answer.payload.pipelineSchedule.missedPolicy, 'SKIP');
});
