import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function pipeline(
  project: { id: number; owner: { id: number } },
  iid: number,
  values: { status: string; ref: string },
) {
  await app.context().query(sql`
    insert into pipelines (project_id, iid, ref, tag, sha, before_sha, status, source, user_id, created_at, updated_at)
    values (${project.id}, ${iid}, ${values.ref}, false, repeat('a', 40), repeat('0', 40), ${values.status}, 'push',
      ${project.owner.id}, ${app.clock.now()}, ${app.clock.now()})`);
}

// Contract: graphql-5.3.2
test('pipelines are filtered by state, choice, ref, commit, source and user', async (t) => {
  const project = await app.build.project();
  await pipeline(project, 1, { status: 'success', ref: 'main' });
  await pipeline(project, 2, { status: 'running', ref: 'main' });
  await pipeline(project, 3, { status: 'failed', ref: 'other' });
  const iids = async (args: string) => {
    const { body } = await app
      .as(project.owner)
      .graphql(`{ project(fullPath: "${project.full_path}") { pipelines(${args}) { nodes { iid } } } }`);
    return body.data.project.pipelines.nodes.map((node: { iid: string }) => node.iid).join('');
  };
  t.is(await iids('first: 10'), '321');
  t.is(await iids('status: RUNNING'), '2');
  t.is(await iids('scope: FINISHED'), '31');
  t.is(await iids('ref: "other"'), '3');
  t.is(await iids(`sha: "${'b'.repeat(40)}"`), '');
  t.is(await iids('source: "push"'), '321');
  t.is(await iids(`username: "${project.owner.username}"`), '321');
  t.is(await iids('updatedAfter: "2031-01-01"'), '');
  t.is(await iids('updatedBefore: "2031-01-01T00:00:00Z"'), '321');
});

// Contract: graphql-5.6.6
test('a pipeline tells from its state whether it is active, complete, cancelable and retryable', async (t) => {
  const project = await app.build.project();
  const states = ['created', 'pending', 'running', 'success', 'failed', 'canceled', 'manual'];
  for (const [index, status] of states.entries()) await pipeline(project, index + 1, { status, ref: 'main' });
  const { body } = await app.as(project.owner).graphql(`{ project(fullPath: "${project.full_path}") {
    pipelines { nodes { status active complete cancelable retryable } } } }`);
  const statuses = body.data.project.pipelines.nodes.map((node: Record<string, unknown>) => {
    const { status, ...rest } = node;
    return [String(status), ...Object.entries(rest).flatMap(([name, holds]) => (holds ? [name] : []))].join(' ');
  });
  t.deepEqual(statuses.reverse(), [
    'CREATED cancelable',
    'PENDING active cancelable',
    'RUNNING active cancelable',
    'SUCCESS complete',
    'FAILED complete retryable',
    'CANCELED complete retryable',
    'MANUAL cancelable',
  ]);
});

// Contract: graphql-5.6.6
test('a job that failed makes its pipeline retryable, one that may fail gives it a warning', async (t) => {
  const project = await app.build.project();
  const getStatus = async (iid: number, jobs: { status: string; allow_failure: boolean; retried: boolean }[]) => {
    await pipeline(project, iid, { status: 'success', ref: `r${iid}` });
    for (const job of jobs)
      await app.context().query(sql`
        insert into jobs (project_id, pipeline_id, name, stage, status, allow_failure, retried, created_at, updated_at)
        select project_id, id, 'build', 'test', ${job.status}, ${job.allow_failure}, ${job.retried}, created_at, created_at
          from pipelines where project_id = ${project.id} and iid = ${iid}`);
    const { body } = await app
      .as(project.owner)
      .graphql(
        `{ project(fullPath: "${project.full_path}") { pipelines(ref: "r${iid}") { nodes { retryable warnings } } } }`,
      );
    return body.data.project.pipelines.nodes[0];
  };
  const job = { status: 'failed', allow_failure: false, retried: false };
  t.deepEqual(await getStatus(1, [job]), { retryable: true, warnings: false });
  t.deepEqual(await getStatus(2, [{ ...job, allow_failure: true }]), { retryable: true, warnings: true });
  t.deepEqual(
    await getStatus(3, [
      { ...job, retried: true },
      { ...job, status: 'success' },
    ]),
    { retryable: false, warnings: false },
  );
});

// Contract: graphql-5.3.2
test('pipelines are null to those who may not see them', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  await app.context().query(sql`update projects set public_jobs = false where id = ${project.id}`);
  const { body } = await app.anonymous.graphql(
    `{ project(fullPath: "${project.full_path}") { name pipelines { count } } }`,
  );
  t.deepEqual(body, { data: { project: { name: project.name, pipelines: null } } });
});

const field = async (user: { token: string }, project: { full_path: string }, selection: string) => {
  const { body } = await app
    .as(user as never)
    .graphql(`{ project(fullPath: "${project.full_path}") { ${selection} } }`);
  return { project: body.data?.project, errors: body.errors as { message: string }[] | undefined };
};

// Contract: graphql-5.3.2, graphql-5.3.pipelines-ids
test('pipelines are chosen by number or global id, and only those of the project', async (t) => {
  const project = await app.build.project();
  const other = await app.build.project();
  await pipeline(other, 1, { status: 'success', ref: 'main' });
  for (const iid of [1, 2, 3]) await pipeline(project, iid, { status: 'success', ref: 'main' });
  const rows = await app.context().query<{ id: number; project_id: number; iid: number }>(sql`
    select id as "id", iid as "iid", project_id as "project_id" from pipelines where project_id in (${project.id}, ${other.id}) order by id`);
  const [foreign] = rows.filter((row) => row.project_id === other.id);
  const [first, , third] = rows.filter((row) => row.project_id === project.id);
  const ids = `["${first?.id}", "gid://service/Ci::Pipeline/${third?.id}", "${foreign?.id}"]`;
  const { project: found } = await field(project.owner, project, `pipelines(ids: ${ids}) { count nodes { iid } }`);
  t.deepEqual(found.pipelines, { count: 2, nodes: [{ iid: '3' }, { iid: '1' }] });
  const { errors } = await field(project.owner, project, 'pipelines(ids: ["x"]) { count }');
  t.is(errors?.[0]?.message, 'x is not a valid service ID.');
});

// Contract: graphql-5.3.2, graphql-5.3.pipeline
test('one pipeline is found by its iid, its id or its commit, and only by one of them', async (t) => {
  const project = await app.build.project({ visibility: 'public' });
  for (const iid of [1, 2]) await pipeline(project, iid, { status: 'success', ref: 'main' });
  const [first] = await app.context().query<{ id: number }>(sql`
    select id as "id" from pipelines where project_id = ${project.id} and iid = 1`);
  const one = async (args: string) => {
    const { project: found, errors } = await field(project.owner, project, `pipeline(${args}) { iid }`);
    return errors ? errors[0]?.message : (found.pipeline?.iid ?? null);
  };
  t.is(await one('iid: "2"'), '2');
  t.is(await one('iid: 1'), '1');
  t.is(await one(`id: "gid://service/Ci::Pipeline/${first?.id}"`), '1');
  t.is(await one(`sha: "${'a'.repeat(40)}"`), '2', 'the newest of the commit');
  t.is(await one('iid: "9"'), null);
  t.is(await one(`iid: "1", sha: "${'a'.repeat(40)}"`), 'One and only one of [iid, id, sha] arguments is required.');
});

// Contract: graphql-5.3.2, graphql-5.3.pipelineCounts
test('pipelines are counted by how far they are, by ref, commit and source', async (t) => {
  const project = await app.build.project();
  const states = ['success', 'failed', 'canceled', 'skipped', 'running', 'pending', 'pending'];
  for (const [index, status] of states.entries())
    await pipeline(project, index + 1, { status, ref: index < 6 ? 'main' : 'other' });
  const counts = async (args: string) =>
    (await field(project.owner, project, `pipelineCounts${args} { all finished pending running }`)).project
      .pipelineCounts;
  t.deepEqual(await counts(''), { all: 7, finished: 3, pending: 2, running: 1 });
  t.deepEqual(await counts('(ref: "other", source: "push")'), { all: 1, finished: 0, pending: 1, running: 0 });
  t.deepEqual(await counts(`(sha: "${'b'.repeat(40)}")`), { all: 0, finished: 0, pending: 0, running: 0 });
});

// Contract: graphql-5.3.2, graphql-5.3.pipeline
test('pipelines, one of them and their counts are null for those who may not see them', async (t) => {
  const project = await app.build.project({ visibility: 'private' });
  await pipeline(project, 1, { status: 'success', ref: 'main' });
  const guest = await app.build.member(project, 'guest');
  await app.context().query(sql`update projects set public_jobs = false where id = ${project.id}`);
  const { project: found } = await field(
    guest,
    project,
    'pipelines { count } pipeline(iid: "1") { iid } pipelineCounts { all }',
  );
  t.deepEqual(found, { pipelines: null, pipeline: null, pipelineCounts: null });
});

// Contract: graphql-5.6.pipeline-parts
test('a pipeline has a name, and its status and those of its stages as they are displayed', async (t) => {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const { body: created } = await owner.post(`/projects/${project.id}/pipeline`, { ref: 'main' });
  const path = `/projects/${project.id}/pipelines/${created.id}`;
  await owner.put(`${path}/metadata`, { name: 'Nightly' });
  const report = (name: string, state: string) =>
    owner.post(`/projects/${project.id}/statuses/${created.sha}`, { name, state, pipeline_id: created.id });
  await report('build', 'failed');
  await owner.post(`${path}/retry`);
  await report('build', 'success');
  await report('lint', 'success');
  await app.context().query(sql`
    insert into jobs (project_id, pipeline_id, name, stage, status, allow_failure, retried, created_at, updated_at)
    values (${project.id}, ${created.id}, 'deploy', 'deploy', 'failed', false, false, ${app.clock.now()}, ${app.clock.now()})`);
  const { body } = await owner.graphql(`{ project(fullPath: "${project.full_path}") { pipelines { nodes {
    name detailedStatus { id group icon label name text tooltip favicon hasDetails detailsPath }
    stages { nodes { name status detailedStatus { text detailsPath } } } } } } }`);
  const [node] = body.data.project.pipelines.nodes;
  t.is(node.name, 'Nightly');
  const { illustration: _illustration, ...rest } = (await owner.get(path)).body.detailed_status;
  t.deepEqual(node.detailedStatus, {
    id: `success-${created.id}`,
    name: 'SUCCESS',
    group: 'success',
    icon: 'status_success',
    label: 'passed',
    text: 'Passed',
    tooltip: 'passed',
    favicon: rest.favicon,
    hasDetails: true,
    detailsPath: rest.details_path,
  });
  const details = (name: string) => `${rest.details_path}#${name}`;
  t.deepEqual(node.stages.nodes, [
    { name: 'external', status: 'success', detailedStatus: { text: 'Passed', detailsPath: details('external') } },
    { name: 'deploy', status: 'failed', detailedStatus: { text: 'Failed', detailsPath: details('deploy') } },
  ]);
});

// Contract: graphql-5.6.pipeline-parts
test.serial('the stages of a list of pipelines take as many statements for many as for one', async (t) => {
  const STAGES = '{ nodes { stages { nodes { name status detailedStatus { text } } } } }';
  const project = await app.build.project();
  const addPipeline = async (iid: number) => {
    await pipeline(project, iid, { status: 'success', ref: 'main' });
    for (const [stage, status] of [
      ['build', 'success'],
      ['test', 'failed'],
    ])
      await app.context().query(sql`
        insert into jobs (project_id, pipeline_id, name, stage, status, allow_failure, retried, created_at, updated_at)
        select project_id, id, 'job', ${stage}, ${status}, false, false, created_at, created_at
          from pipelines where project_id = ${project.id} and iid = ${iid}`);
  };
  let found: { stages: { nodes: unknown[] } }[] = [];
  const count = () =>
    app.statementsOf(async () => {
      const { project: listed } = await field(project.owner, project, `pipelines(first: 20) ${STAGES}`);
      found = listed.pipelines.nodes;
    });
  await addPipeline(1);
  await count();
  const ofOne = await count();
  t.is(found.length, 1);
  for (let iid = 2; iid <= 12; iid += 1) await addPipeline(iid);
  t.is(await count(), ofOne);
  t.is(found.length, 12);
  for (const { stages } of found)
    t.deepEqual(stages.nodes, [
      { name: 'build', status: 'success', detailedStatus: { text: 'Passed' } },
      { name: 'test', status: 'failed', detailedStatus: { text: 'Failed' } },
    ]);
});
