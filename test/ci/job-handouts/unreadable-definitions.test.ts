import test from 'ava';
import { sql } from 'kysely';
import { pino } from 'pino';
import { removeUnusedRefs } from '../../../shared/ci/pipelines/pipeline-refs.js';
import { tendRunnerJobs } from '../../../shared/ci/job-tending/tend-jobs.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';
import { processingSteps } from '../processing/processing-steps.js';
import { protocolSteps } from '../runner-protocol/protocol-steps.js';
import { buildRunner, getStoredJob, isQueued, queueJobs, serveFor } from './queue-steps.js';

interface Line {
  msg: string;
  job_id?: number;
}
const lines: string[] = [];
const app = useApp(test, [], { log: pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) }) });
const { createJob, createRunner, getJob } = protocolSteps(app);
const { pipelineOf, states, fail, end, run, act, find } = processingSteps(app);

const SECRET = 'a-value-that-no-log-shows';

/** What a definition may be that is none, by what is wrong with it. */
const UNREADABLE: Record<string, (pipelineId: number) => Uint8Array> = {
  'no encrypted text': () => Buffer.from(SECRET),
  'of another pipeline': (id) => app.services.keys.encrypt(`{"script":["${SECRET}"]}`, `job_definitions:${id + 1}`),
  'no JSON': (id) => app.services.keys.encrypt(`{"script":["${SECRET}"`, `job_definitions:${id}`),
  'no definition': (id) => app.services.keys.encrypt(`{"script":["${SECRET}"]}`, `job_definitions:${id}`),
};
const [spoil] = Object.values(UNREADABLE) as [(pipelineId: number) => Uint8Array];

/** Replaces what a job consists of. */
async function replaceDefinition(jobId: number, write = spoil): Promise<void> {
  const ctx = app.context();
  const [job] = await ctx.query<{ pipeline_id: number }>(sql`select pipeline_id from jobs where id = ${jobId}`);
  const definition = write(job!.pipeline_id);
  await ctx.query(sql`
    update job_definitions set definition = ${definition}
     where id = (select definition_id from jobs where id = ${jobId})`);
}

const linesOf = (jobId: number): Line[] =>
  lines
    .map((line) => JSON.parse(line) as Line)
    .filter(({ msg, job_id: id }) => id === jobId && /cannot be decrypted/.test(msg));

test.beforeEach(async () => {
  await app.context().query(sql`delete from pipelines`);
  await app.context().query(sql`delete from runners`);
});

for (const [what, write] of Object.entries(UNREADABLE))
  // Contract: ci-job-queue.unreadable
  test.serial(`at a hand-out a job fails whose definition is ${what}, and its runner gets the next one`, async (t) => {
    const project = await app.build.project();
    const runner = await createRunner();
    const broken = await createJob(project);
    const next = await createJob(project);
    await replaceDefinition(broken.id, write);
    const { status, body } = await app.anonymous.post('/jobs/request', { token: runner.token, system_id: 's_1' });
    t.deepEqual([status, (body as { id: number }).id], [201, next.id]);
    t.like(await getJob(broken.id), { status: 'failed', failure_reason: 'data_integrity_failure' });
    t.false(await isQueued(app, broken.id));
    t.is(linesOf(broken.id).length, 1);
  });

// Contract: ci-job-queue.unreadable
test.serial('of overdue jobs those that cannot be read hold no other back', async (t) => {
  const project = await app.build.project();
  await buildRunner(app);
  const ids = [
    await queueJobs(app, project, 1, { tag_list: ['rare'] }),
    await queueJobs(app, project, 1, { tag_list: ['rare'] }),
  ].flat() as [number, number];
  await replaceDefinition(ids[0]);
  await serveFor(app, '1 hour');
  t.like(await tendRunnerJobs(app.context()), { stuck: 2 });
  t.like(await getStoredJob(app, ids[0]), { status: 'failed', failure_reason: 'data_integrity_failure' });
  t.like(await getStoredJob(app, ids[1]), { failure_reason: 'stuck_pending_no_matching_runners' });
});

// Contract: ci-job-queue.unreadable
test.serial('what a job with an unreadable definition is reported to have done is accepted', async (t) => {
  const [project, runner] = [await app.build.project(), await createRunner()];
  for (const [state, stored] of [
    ['success', { status: 'success', failure_reason: null }],
    ['failed', { status: 'failed', failure_reason: 'data_integrity_failure', exit_code: 3 }],
  ] as const) {
    const job = await createJob(project, { definition: { coverage: '\\d+', retry: null } });
    const { body } = await app.anonymous.post('/jobs/request', { token: runner.token, system_id: 's_1' });
    await replaceDefinition(job.id);
    const { token } = body as { token: string };
    const report = { token, state, failure_reason: 'script_failure', ...(state === 'failed' && { exit_code: 3 }) };
    t.is((await app.anonymous.put(`/jobs/${job.id}`, report)).status, 200);
    t.like(await getJob(job.id), stored);
    // Its log is sealed, without a coverage.
    await app.work();
  }
});

// Contract: ci-job-queue.unreadable
test.serial('a job that cannot be read is explained, has its turn, and is not retried; others are', async (t) => {
  const pipeline = await pipelineOf('a: {script: x}\nb: {script: x}\nc: {stage: deploy, script: x}\n');
  const { id } = await find(pipeline, 'a');
  await replaceDefinition(id);
  const { owner, path } = pipeline;
  for (const view of ['', '/explain', '/queue', '/trace'])
    t.is((await owner.get(`${path}/jobs/${id}${view}`)).status, 200, view);
  await run(pipeline, 'a');
  await fail(pipeline, 'a');
  await fail(pipeline, 'b');
  t.deepEqual(await states(pipeline), { a: 'failed', b: 'failed', c: 'skipped' });
  const message = '403 Forbidden - Job is not retryable: what it consists of cannot be read';
  const refused = await act(pipeline, 'a', 'retry');
  t.deepEqual([refused.status, refused.body], [403, { message }]);
  t.is((await find(pipeline, 'a')).id, id);
  t.is((await owner.post(`${path}/pipelines/${pipeline.id}/retry`)).status, 201);
  t.deepEqual(await states(pipeline), { a: 'failed', b: 'pending', c: 'created' });
  await end(pipeline, 'b');
  const none = await owner.post(`${path}/pipelines/${pipeline.id}/retry`);
  t.is(none.status, 403);
  t.regex(none.body.message, /what its jobs consist of cannot be read/);
});

// Contract: ci-job-queue.unreadable, ci-pipelines.refs
test.serial('what is not tried again since it cannot be read leaves no ref in git', async (t) => {
  const pipeline = await pipelineOf('a: {script: x}\n');
  const ctx = app.context();
  await fail(pipeline, 'a');
  await app.work();
  await removeUnusedRefs(ctx);
  await replaceDefinition((await find(pipeline, 'a')).id);
  t.is((await act(pipeline, 'a', 'retry')).status, 403);
  t.is((await pipeline.owner.post(`${pipeline.path}/pipelines/${pipeline.id}/retry`)).status, 403);
  t.is(plainGit(getRepositoryPath(ctx, pipeline.project), ['for-each-ref', 'refs/pipelines']), '');
});

// Contract: ci-job-queue.unreadable
test.serial('a job that was started with a variable that cannot be read ends, and is not tried again', async (t) => {
  const pipeline = await pipelineOf('a: {script: x, when: manual, retry: 2}');
  await pipeline.owner.put(pipeline.path, { ci_pipeline_variables_minimum_override_role: 'owner' });
  await act(pipeline, 'a', 'play', { job_variables_attributes: [{ key: 'WHO', value: SECRET }] });
  await app.context().query(sql`update job_variables set value = '\\x01'::bytea`);
  await fail(pipeline, 'a');
  t.deepEqual(await states(pipeline), { a: 'failed' });
  t.is((await act(pipeline, 'a', 'retry')).status, 403);
});

// Contract: ci-job-queue.unreadable
test.serial('no line of the log shows what a definition holds', (t) => {
  t.true(lines.length > 0);
  t.deepEqual(
    lines.filter((line) => line.includes(SECRET)),
    [],
  );
});
