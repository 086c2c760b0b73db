import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { createRunningJob } from './running-job.js';

const app = useApp(test);
const NOT_ERASABLE = { message: '403 Forbidden - Job is not erasable!' };

// Contract: ci-job-logs.erase
test('a Maintainer erases the log of a job that is over; the job stays, with who did it and when', async (t) => {
  for (const sealed of [true, false]) {
    const job = await createRunningJob(app);
    await job.patch('0-', 'secret');
    t.deepEqual((await job.owner.post(`${job.path}/erase`)).body, NOT_ERASABLE);
    await job.end();
    if (sealed) await job.seal();
    const { status, body } = await job.owner.post(`${job.path}/erase`);
    t.is(status, 201);
    t.like(body, { id: job.id, erased_at: app.clock.now().toISOString() });
    t.is(await job.read(), '');
    t.is((await job.owner.get(job.path)).body.erased_at, body.erased_at);
    const [row] = await app
      .context()
      .query<{ erased_by_id: number }>(sql`select erased_by_id::int from jobs where id = ${job.id}`);
    t.is(row?.erased_by_id, job.project.owner.id);
    const again = await job.owner.post(`${job.path}/erase`);
    t.deepEqual([again.status, again.body], [403, NOT_ERASABLE]);
  }
});

// Contract: ci-job-logs.erase
test('the bytes of an erased log are removed', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'secret');
  await job.end();
  await job.seal();
  const ctx = app.context();
  const [log] = await ctx.query<{ object_id: number }>(sql`select object_id from job_logs where job_id = ${job.id}`);
  await job.owner.post(`${job.path}/erase`);
  const [object] = await ctx.query<{ removed: boolean }>(
    sql`select removed_at is not null as removed from stored_objects where id = ${log?.object_id}`,
  );
  t.true(object?.removed);
});

// Contract: ci-job-logs.erase
test('a Developer erases the own job on a ref that is not protected, and no other', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'log');
  await job.end();
  const developer = await app.build.member(job.project as never, 'developer');
  const erase = async () => {
    const { status, body } = await app.as(developer).post(`${job.path}/erase`);
    return [status, body.message];
  };
  t.deepEqual(await erase(), [403, '403 Forbidden']);
  await app.context().query(sql`update jobs set user_id = ${developer.id}, protected = true where id = ${job.id}`);
  t.deepEqual(await erase(), [403, '403 Forbidden']);
  await app.context().query(sql`update jobs set protected = false where id = ${job.id}`);
  t.deepEqual((await erase())[0], 201);
});

// Contract: ci-job-logs.erase
test('nothing is erased in an archived project, nor without a log', async (t) => {
  const job = await createRunningJob(app);
  await job.end();
  t.deepEqual((await job.owner.post(`${job.path}/erase`)).body, NOT_ERASABLE);
  await job.owner.post(`/projects/${job.project.id}/archive`);
  t.is((await job.owner.post(`${job.path}/erase`)).body.message, '403 Forbidden');
});

// Contract: ci-job-logs.erase
test('a log is locked after its job, as patches and reports do', async (t) => {
  const job = await createRunningJob(app);
  await job.patch('0-', 'secret');
  await job.end();
  const ctx = app.context();
  const isWaiting = async () => (await app.context().query(sql`select 1 from pg_locks where not granted`)).length > 0;
  let erased: ReturnType<typeof job.owner.post> | undefined;
  await ctx.transaction(async () => {
    await ctx.query(sql`select 1 from jobs where id = ${job.id} for no key update`);
    erased = job.owner.post(`${job.path}/erase`);
    while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 10));
    const log = await ctx.query(sql`select 1 from job_logs where job_id = ${job.id} for no key update nowait`);
    t.is(log.length, 1);
  });
  t.is((await erased)?.status, 201);
});
