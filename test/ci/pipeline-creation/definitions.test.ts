import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { sql } from 'kysely';
import { openDefinition } from '../../../shared/ci/processing/job-definition.js';
import { ensurePipelineRef, removeUnusedRefs } from '../../../shared/ci/pipelines/pipeline-refs.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';
import { writeConfiguration } from './configuration-steps.js';

const app = useApp(test);

async function build(content: string) {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const sha = await writeConfiguration(owner, project, content, '[skip ci]');
  const start = (more: object = {}) => owner.post(`${path}/pipeline`, { ref: 'main', ...more });
  return { project, owner, path, sha, start };
}

const readDefinitions = async (pipelineId: number) => {
  const ctx = app.context();
  const rows = await ctx.query<{ definition: Uint8Array }>(sql`
    select d.definition from job_definitions d where d.pipeline_id = ${pipelineId} order by d.id`);
  return rows.map(({ definition }) => openDefinition(ctx, pipelineId, definition));
};

// Contract: ci-pipelines.inputs
test('vector 42: the value of an input is one text of a script', async (t) => {
  const { start } = await build('spec: {inputs: {x: {}}}\n---\na: {script: "echo $[[ inputs.x ]]"}\n');
  const { body, status, text } = await start({ inputs: { x: '"; rm: {script: y' } });
  t.is(status, 201, text);
  const [job, ...others] = await readDefinitions(body.id);
  t.deepEqual(others, []);
  t.deepEqual(job?.script, ['echo "; rm: {script: y']);
});

// Contract: ci-pipelines.variables
test('vector 40: a raw variable is kept as written', async (t) => {
  const content = 'variables:\n  RAW: {value: $HOME, expand: false}\na: {script: x, variables: {OWN: $RAW}}\n';
  const { start } = await build(content);
  const { body } = await start();
  const [job] = await readDefinitions(body.id);
  t.like(job?.global_variables, { RAW: { value: '$HOME', expand: false } });
  t.like(job?.variables, { OWN: { value: '$RAW', expand: true } });
});

// Contract: ci-pipelines.variables, ci-pipelines.explain
test('vectors 36, 37: variables of a pipeline win over those of its project; protected ones need a protected ref', async (t) => {
  const content = [
    'own: {script: x, rules: [{if: $K == "pipeline"}]}',
    'stored: {script: x, rules: [{if: $K == "project"}]}',
    'protected: {script: x, rules: [{if: $P}]}',
    'always: {script: x}',
  ].join('\n');
  const { start, owner, path } = await build(content);
  await owner.post(`${path}/variables`, { key: 'K', value: 'project' });
  await owner.post(`${path}/variables`, { key: 'P', value: 'a secret of the ref', protected: true });
  await owner.post(`${path}/repository/branches`, { branch: 'open', ref: 'main' });
  await app.work();
  const names = async (more: object) => {
    const { body } = await start(more);
    const jobs = (await owner.get(`${path}/pipelines/${body.id}/jobs`)).body;
    return jobs.map(({ name }: { name: string }) => name).sort();
  };
  t.deepEqual(await names({ variables: [{ key: 'K', value: 'pipeline' }] }), ['always', 'own', 'protected']);
  t.deepEqual(await names({}), ['always', 'protected', 'stored']);
  t.deepEqual(await names({ ref: 'open' }), ['always', 'stored']);
  const [newest] = (await owner.get(`${path}/pipelines`)).body;
  const { text } = await owner.get(`${path}/pipelines/${newest.id}/explain`);
  t.false(text.includes('"value":"project"'));
});

// Contract: ci-pipelines.jobs
test('jobs have what the file says of them', async (t) => {
  const content = [
    'stages: [one, two]',
    'workflow: {name: Build of $CI_COMMIT_BRANCH, auto_cancel: {on_job_failure: all}}',
    'a: {stage: one, script: x, tags: [docker, docker], timeout: 1h, interruptible: true, resource_group: $CI_COMMIT_BRANCH}',
    'b: {stage: two, script: y, needs: [], when: delayed, start_in: 1 hour, resource_group: main}',
    'c: {stage: two, script: z, needs: [{job: a, artifacts: false}], when: manual}',
  ].join('\n');
  const { start, project } = await build(content);
  const { body, text, status } = await start();
  t.is(status, 201, text);
  t.is(body.name, 'Build of main');
  const rows = await app.context().query(sql`
    select j.name, j.stage_index, j."when", j.needs_jobs, j.allow_failure, j.start_in, j.tag_list, j.timeout,
           j.interruptible, g.key as "group", j.protected
      from jobs j left join resource_groups g on g.id = j.resource_group_id
     where j.pipeline_id = ${body.id} order by j.id`);
  const common = { allow_failure: false, start_in: null, timeout: null, interruptible: false, protected: true };
  const [a, b, c] = [
    { ...common, name: 'a', stage_index: 1, when: 'on_success', needs_jobs: false, tag_list: ['docker'] },
    { ...common, name: 'b', stage_index: 2, when: 'delayed', needs_jobs: true, tag_list: [], start_in: 3600 },
    { ...common, name: 'c', stage_index: 2, when: 'manual', needs_jobs: true, tag_list: [], allow_failure: true },
  ];
  t.deepEqual(rows, [
    { ...a, timeout: 3600, interruptible: true, group: 'main' },
    { ...b, group: 'main' },
    { ...c, group: null },
  ]);
  const needs = await app.context().query(sql`
    select n.name, n.artifacts, n.optional from job_needs n where n.pipeline_id = ${body.id}`);
  t.deepEqual(needs, [{ name: 'a', artifacts: false, optional: false }]);
  t.is((await app.as(project.owner).get(`/projects/${project.id}/pipelines/${body.id}`)).body.name, 'Build of main');
});

// Contract: ci-pipelines.refs
test('the hidden ref of a pipeline is there until it is over, and again on a retry', async (t) => {
  const { start, project, sha, owner, path } = await build('a: {script: x}\n');
  const { body } = await start();
  const ctx = app.context();
  const readRefs = () =>
    plainGit(getRepositoryPath(ctx, project), [
      'for-each-ref',
      '--format=%(objectname) %(refname)',
      'refs/pipelines',
    ]).trim();
  const ref = `${sha} refs/pipelines/${body.id}`;
  t.is(readRefs(), ref);
  await removeUnusedRefs(app.context());
  t.is(readRefs(), ref);
  await app.work();
  await owner.post(`${path}/pipelines/${body.id}/cancel`);
  await app.work();
  await removeUnusedRefs(app.context());
  t.is(readRefs(), '');
  const commit = { project_id: project.id, sha };
  t.true(await ctx.transaction(() => ensurePipelineRef(ctx, commit, body.id)));
  t.is(readRefs(), ref);
  const gone = { project_id: project.id, sha: '1'.repeat(40) };
  t.false(await ctx.transaction(() => ensurePipelineRef(ctx, gone, body.id)));
});

// Contract: ci-pipelines.refs
test.serial('a ref that cannot be removed holds up no other', async (t) => {
  const { start, project, owner, path } = await build('a: {script: x}\n');
  const ctx = app.context();
  const ids: number[] = [(await start()).body.id, (await start()).body.id];
  await app.work();
  const lock = join(getRepositoryPath(ctx, project), `refs/pipelines/${ids[0]}.lock`);
  await writeFile(lock, '');
  for (const id of ids) await owner.post(`${path}/pipelines/${id}/cancel`);
  await app.work();
  const readLeft = async () => {
    const rows = await ctx.query<{ pipeline_id: number }>(sql`
      select f.pipeline_id from pipeline_refs f where f.project_id = ${project.id}`);
    return rows.map((row) => row.pipeline_id);
  };
  await removeUnusedRefs(app.context());
  t.deepEqual(await readLeft(), [ids[0]!]);
  await rm(lock);
  await removeUnusedRefs(app.context());
  t.deepEqual(await readLeft(), []);
});

// Contract: ci-pipelines.refs
test.serial('a retry makes the ref again where only a report has the pipeline go on', async (t) => {
  const { start, project, sha, owner, path } = await build('a: {script: x}\n');
  const { body } = await start();
  await owner.post(`${path}/pipelines/${body.id}/cancel`);
  await removeUnusedRefs(app.context());
  const report = { name: 'scan', state: 'running', pipeline_id: body.id };
  t.is((await owner.post(`${path}/statuses/${sha}`, report)).status, 201);
  t.is((await owner.get(`${path}/pipelines/${body.id}`)).body.status, 'running');
  const jobs = (await owner.get(`${path}/pipelines/${body.id}/jobs`)).body as { id: number; name: string }[];
  const { id } = jobs.find(({ name }) => name === 'a')!;
  t.is((await owner.post(`${path}/jobs/${id}/retry`)).status, 201);
  const ref = `refs/pipelines/${body.id}`;
  t.is(plainGit(getRepositoryPath(app.context(), project), ['rev-parse', ref]).trim(), sha);
});

// Contract: ci-pipelines.refs
test.serial('a repository that cannot be written does not keep the refs of others', async (t) => {
  const [broken, other] = [await build('a: {script: x}\n'), await build('a: {script: x}\n')];
  const end = async ({ start, owner, path }: typeof broken): Promise<string> => {
    const { body } = await start();
    await owner.post(`${path}/pipelines/${body.id}/cancel`);
    return `refs/pipelines/${body.id}`;
  };
  const refs = [await end(broken), await end(other)];
  const readRefs = () =>
    [broken, other].map(({ project }) =>
      plainGit(getRepositoryPath(app.context(), project), [
        'for-each-ref',
        '--format=%(refname)',
        'refs/pipelines',
      ]).trim(),
    );
  t.deepEqual(readRefs(), refs);
  const lock = join(getRepositoryPath(app.context(), broken.project), `${refs[0]}.lock`);
  await writeFile(lock, '');
  await removeUnusedRefs(app.context());
  t.deepEqual(readRefs(), [refs[0], '']);
  await rm(lock);
  await removeUnusedRefs(app.context());
  t.deepEqual(readRefs(), ['', '']);
});

// Contract: ci-pipelines.statements
test.serial('the number of statements does not depend on the number of jobs', async (t) => {
  const write = (jobs: number) =>
    Array.from({ length: jobs }, (_, index) => `j${index}: {script: x, needs: [], resource_group: g${index}}`).join(
      '\n',
    );
  const count = async (jobs: number) => {
    const { start } = await build(write(jobs));
    await start();
    return app.statementsOf(async () => t.is((await start()).status, 201));
  };
  await count(1);
  t.is(await count(2), await count(60));
});
