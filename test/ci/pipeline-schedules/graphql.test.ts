import test from 'ava';
import { sql } from 'kysely';
import type { BuiltUser } from '../../core/builders.js';
import type { Client } from '../../core/client.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

const gid = (id: number) => `gid://service/Ci::PipelineSchedule/${id}`;

async function schedules(client: Client, fullPath: string, selection: string, args = '') {
  const { body, text } = await client.graphql(
    `{ project(fullPath: "${fullPath}") { pipelineSchedules${args} { ${selection} } } }`,
  );
  if (body.errors) throw new Error(text);
  return body.data.project.pipelineSchedules;
}

async function one(client: Client, fullPath: string, selection: string) {
  return (await schedules(client, fullPath, `nodes { ${selection} }`)).nodes[0];
}

// Contract: graphql-4.1, graphql-5.6.1
test('a schedule has its fields, with short refs, instants in milliseconds and a global id', async (t) => {
  const schedule = await app.build.schedule({ cron: '30 2 * * 1', cron_timezone: 'Asia/Tokyo', active: false });
  const path = schedule.project.full_path;
  const found = await one(
    app.as(schedule.ownedBy),
    path,
    `id description active cron cronTimezone ref refForDisplay refPath forTag nextRunAt realNextRun owner { username }
     project { fullPath } createdAt updatedAt editPath lastPipeline { id }`,
  );
  t.deepEqual(found, {
    id: gid(schedule.id),
    description: 'Nightly',
    active: false,
    cron: '30 2 * * 1',
    cronTimezone: 'Asia/Tokyo',
    ref: 'main',
    refForDisplay: 'main',
    refPath: `/${path}/-/commits/main`,
    forTag: false,
    nextRunAt: '2030-01-06T17:30:00.000Z',
    realNextRun: '2030-01-06T17:30:00.000Z',
    owner: { username: schedule.ownedBy.username },
    project: { fullPath: path },
    createdAt: '2030-01-01T00:00:00.000Z',
    updatedAt: '2030-01-01T00:00:00.000Z',
    editPath: `/${path}/-/pipeline_schedules/${schedule.id}/edit`,
    lastPipeline: null,
  });
});

// Contract: graphql-5.3.3
test('schedules are filtered by status, and by ids as numbers or global ids', async (t) => {
  const project = await app.build.project();
  const [a, b, c] = [
    await app.build.schedule({ project, owner: project.owner }),
    await app.build.schedule({ project, owner: project.owner, active: false }),
    await app.build.schedule({ project, owner: project.owner }),
  ];
  const ids = async (args: string) => {
    const { nodes } = await schedules(app.as(project.owner), project.full_path, 'nodes { id }', args);
    return nodes.map((node: { id: string }) => node.id);
  };
  t.deepEqual(await ids(''), [gid(c.id), gid(b.id), gid(a.id)]);
  t.deepEqual(await ids('(status: ACTIVE)'), [gid(c.id), gid(a.id)]);
  t.deepEqual(await ids('(status: INACTIVE)'), [gid(b.id)]);
  t.deepEqual(await ids(`(ids: ["${a.id}", "${gid(b.id)}"])`), [gid(b.id), gid(a.id)]);
  t.deepEqual(await ids('(ids: [])'), []);
});

// Contract: graphql-3.6
test('ids that are no ids of schedules are top-level errors', async (t) => {
  const schedule = await app.build.schedule();
  const message = async (id: string) => {
    const { body } = await app
      .as(schedule.ownedBy)
      .graphql(
        `{ project(fullPath: "${schedule.project.full_path}") { pipelineSchedules(ids: ["${id}"]) { count } } }`,
      );
    return body.errors[0].message;
  };
  t.is(await message('x'), 'x is not a valid service ID.');
  t.is(await message('gid://service/User/1'), 'gid://service/User/1 is not a valid ID for Ci::PipelineSchedule.');
});

// Contract: graphql-5.3.3
test('schedules are sorted by every column, those that never run again after the others', async (t) => {
  const project = await app.build.project();
  const build = (description: string, cron: string) =>
    app.build.schedule({ project, owner: project.owner, description, cron });
  const a = await build('a', '0 3 * * *');
  await build('b', '0 1 * * *');
  await build('c', '0 2 * * *');
  await app.context().query(sql`update pipeline_schedules set next_run_at = null where id = ${a.id}`);
  const sorted = async (sort: string) => {
    const { nodes } = await schedules(
      app.as(project.owner),
      project.full_path,
      'nodes { description }',
      `(sort: ${sort})`,
    );
    return nodes.map((node: { description: string }) => node.description).join('');
  };
  t.is(await sorted('DESCRIPTION_ASC'), 'abc');
  t.is(await sorted('DESCRIPTION_DESC'), 'cba');
  t.is(await sorted('ID_ASC'), 'abc');
  t.is(await sorted('NEXT_RUN_AT_ASC'), 'bca');
  t.is(await sorted('NEXT_RUN_AT_DESC'), 'acb');
  t.is(await sorted('CRON_ASC'), 'bca');
  for (const column of ['CREATED_AT', 'UPDATED_AT', 'CRON_TIMEZONE', 'REF'])
    t.is((await sorted(`${column}_ASC`)).length, 3);
});

// Contract: graphql-4.4
test('sorted by a nullable instant, pages neither repeat nor lose a schedule', async (t) => {
  const project = await app.build.project();
  for (let number = 0; number < 4; number += 1) await app.build.schedule({ project, owner: project.owner });
  await app.context().query(sql`
    update pipeline_schedules set next_run_at = null where project_id = ${project.id} and id % 2 = 0`);
  const ids = new Set<string>();
  for (let after = '', pages = 0; pages < 4; pages += 1) {
    const { nodes, pageInfo } = await schedules(
      app.as(project.owner),
      project.full_path,
      'nodes { id } pageInfo { endCursor }',
      `(first: 1, sort: NEXT_RUN_AT_DESC, after: "${after}")`,
    );
    ids.add(nodes[0].id);
    after = pageInfo.endCursor;
  }
  t.is(ids.size, 4);
});

// Contract: graphql-5.6.5
test('schedules of a public project are seen by whoever signed in where its pipelines are public, and by nobody else', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  await app.build.schedule({ project, owner: project.owner });
  const stranger = app.as(await app.build.user());
  t.is((await schedules(stranger, project.full_path, 'count')).count, 1);
  t.is(await schedules(app.anonymous, project.full_path, 'count'), null);
  t.is((await app.anonymous.get(`/projects/${project.id}/pipeline_schedules`)).status, 401);
  await app.context().query(sql`update projects set public_jobs = false where id = ${project.id}`);
  t.is(await schedules(stranger, project.full_path, 'count'), null);
  const reporter = await app.build.member(project, 'reporter');
  t.is((await schedules(app.as(reporter), project.full_path, 'count')).count, 1);
});

async function giveVariable(schedule: { id: number; ownedBy: BuiltUser }, key: string, value: string) {
  return app.as(schedule.ownedBy).graphql(`mutation { pipelineScheduleUpdate(input: { id: "${gid(schedule.id)}",
    variables: [{ key: "${key}", value: "${value}", variableType: FILE }] }) { errors } }`);
}

// Contract: graphql-5.6.2
test('variables are shown to the owner and to Maintainers, and are null to everybody else', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const owner = await app.build.member(project, 'developer');
  const schedule = await app.build.schedule({ project, owner, ref: 'refs/heads/open' });
  await giveVariable(schedule, 'KEY', 'secret');
  const ask = async (client: Client) =>
    (await one(client, project.full_path, 'variables { nodes { id key value raw variableType } }')).variables;
  const variables = await ask(app.as(owner));
  t.like(variables.nodes[0], { key: 'KEY', value: 'secret', raw: false, variableType: 'FILE' });
  t.regex(variables.nodes[0].id, /^gid:\/\/service\/Ci::PipelineScheduleVariable\/\d+$/);
  t.is((await ask(app.as(await app.build.member(project, 'maintainer')))).nodes.length, 1);
  t.is(await ask(app.as(await app.build.member(project, 'developer'))), null);
  t.is(await ask(app.as(await app.build.user())), null);
});

// Contract: graphql-5.6.3
test('inputs keep their JSON types', async (t) => {
  const values = ['text', 1.5, true, ['a', 1]];
  const schedule = await app.build.schedule({ inputs: values.map((value, index) => ({ name: `n${index}`, value })) });
  const { inputs } = await one(app.as(schedule.ownedBy), schedule.project.full_path, 'inputs { nodes { name value } }');
  t.deepEqual(
    inputs.nodes,
    values.map((value, index) => ({ name: `n${index}`, value })),
  );
});

// Contract: graphql-4.9, graphql-5.6.4
test('userPermissions and editPath follow the policy', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  const owner = await app.build.member(project, 'developer');
  const schedule = await app.build.schedule({ project, owner, ref: 'refs/heads/open' });
  const fields = 'playPipelineSchedule updatePipelineSchedule adminPipelineSchedule takeOwnershipPipelineSchedule';
  const ask = async (client: Client) => {
    const { userPermissions: may, editPath } = await one(
      client,
      project.full_path,
      `editPath userPermissions { ${fields} }`,
    );
    const letters = [
      may.playPipelineSchedule && 'play',
      may.updatePipelineSchedule && 'update',
      may.adminPipelineSchedule && 'admin',
    ];
    t.is(may.takeOwnershipPipelineSchedule, may.adminPipelineSchedule);
    t.is(editPath !== null, may.updatePipelineSchedule);
    return letters.filter(Boolean).join(' ');
  };
  t.is(await ask(app.as(schedule.ownedBy)), 'play update admin');
  t.is(await ask(app.as(await app.build.member(project, 'maintainer'))), 'play admin');
  t.is(await ask(app.as(await app.build.member(project, 'developer'))), 'play');
  t.is(await ask(app.as(await app.build.member(project, 'reporter'))), '');
  t.is(await ask(app.as(await app.build.admin())), 'play update admin');
  t.is(await ask(app.as(await app.build.user())), '');
});

// Contract: graphql-5.6.4
test('on a protected branch only those who may push or merge there may play', async (t) => {
  const schedule = await app.build.schedule({ ref: 'main' });
  const ask = async (user: BuiltUser) => {
    const { userPermissions } = await one(
      app.as(user),
      schedule.project.full_path,
      'userPermissions { playPipelineSchedule }',
    );
    return userPermissions.playPipelineSchedule;
  };
  t.true(await ask(await app.build.member(schedule.project, 'maintainer')));
  t.false(await ask(await app.build.member(schedule.project, 'developer')));
});

// Alone: it counts the statements of the whole process.
// Contract: graphql-9.1
test.serial('many schedules with pipelines, variables and inputs need as many statements as one', async (t) => {
  const statementsFor = async (count: number) => {
    const project = await app.build.project();
    const built = [];
    for (let number = 0; number < count; number += 1)
      built.push(await app.build.schedule({ project, owner: project.owner, inputs: [{ name: 'n', value: 1 }] }));
    for (const schedule of built) await giveVariable(schedule, 'K', 'v');
    await app.context().query(sql`
      insert into pipelines (project_id, iid, ref, tag, sha, before_sha, status, source, user_id, pipeline_schedule_id,
        created_at, updated_at)
      select ${project.id}, row_number() over (), 'main', false, repeat('a', 40), repeat('0', 40), 'pending', 'schedule',
             ${project.owner.id}, s.id, ${app.clock.now()}, ${app.clock.now()}
        from pipeline_schedules s cross join generate_series(1, 2) where s.project_id = ${project.id}`);
    // Signs in beforehand, so that this is not counted.
    await app.as(project.owner).graphql('{ currentUser { id } }');
    await app.tokens.written();
    const before = app.services.db.statements;
    const { nodes } = await schedules(
      app.as(project.owner),
      project.full_path,
      `nodes { owner { name bot } project { name } lastPipeline { iid user { name } project { name } }
        variables { nodes { key } } inputs { nodes { name } } userPermissions { playPipelineSchedule } }`,
    );
    t.is(nodes.length, count);
    t.true(nodes.every((node: { lastPipeline: unknown }) => node.lastPipeline !== null));
    return app.services.db.statements - before;
  };
  const forOne = await statementsFor(1);
  t.is(await statementsFor(8), forOne);
  t.true(forOne <= 7, String(forOne));
});
