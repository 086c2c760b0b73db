import test from 'ava';
import { queueJob } from '../../../shared/core/context/jobs.js';
import { splitPayload } from '../../../shared/core/values/job-context.js';
import { sql } from 'kysely';
import { handler } from '../../../workers/core/handler.js';
import { runBatch } from '../../../workers/instance/queue-jobs/run-batch.js';
import { tendQueueJobs } from '../../../shared/instance/queue-jobs/queue-job.jobs.js';
import { useApp } from '../../core/app.js';
import { inHandOf } from '../../core/handled.js';

const app = useApp(test);

const sent = async (queue: string, where = sql`true`) =>
  (
    await app
      .context()
      .query<{ data: Record<string, unknown> }>(
        sql`select j.data as "data" from pgboss.job j where j.name = ${queue} and ${where} order by j.created_on`,
      )
  ).map(({ data }) => data);

test('a payload says who asked for the job, from where, about what, and by which request', async (t) => {
  const group = await app.build.group();
  const { body: project } = await app.as(group.owner).post('/projects', { name: 'Place', namespace_id: group.id });
  const path = `/projects/${project.id}/pipeline_schedules`;
  await app.as(group.owner).post(`/projects/${project.id}/repository/files/a`, {
    branch: 'main',
    content: 'a',
    commit_message: 'Add a',
  });
  const schedule = await app.as(group.owner).post(path, { description: 'x', ref: 'main', cron: '0 0 1 1 *' });
  const played = await app.as(group.owner).post(`${path}/${schedule.body.id}/play`);
  t.is(played.status, 201);
  const of = sql`j.data -> '_ctx' ->> 'project' = ${project.path_with_namespace}`;
  const [payload] = await sent('pipeline_schedules.play', of);
  t.deepEqual(Object.keys(payload ?? {}).toSorted(), ['_ctx', 'run_id']);
  t.deepEqual(payload?._ctx, {
    user: group.owner.username,
    project: project.path_with_namespace,
    root_namespace: project.path_with_namespace.split('/')[0],
    caller_id: 'playPipelineSchedule',
    feature_category: 'continuous_integration',
    correlation_id: played.headers.get('x-request-id'),
  });
});

test('a job goes on under the id of its request, and jobs that it sends say so', async (t) => {
  const kind = queueJob<{ n: number }>('test.context', { category: 'database' });
  const next = queueJob<{ n: number }>('test.context.next', { category: 'database' });
  await app.services.boss.createQueue(next.name, next.queue);
  const _ctx = {
    user: 'jane',
    project: 'a/b/c',
    root_namespace: 'a',
    caller_id: 'doSomething',
    feature_category: 'database',
    correlation_id: 'request-1',
  };
  const payloads: object[] = [];
  const lines: Record<string, unknown>[] = [];
  const one = handler<{ n: number }>({
    kind,
    batchSize: 2,
    async handle(ctx, payload) {
      payloads.push(payload);
      lines.push(ctx.log.bindings());
      await ctx.transaction(() => ctx.jobs.send(next, payload));
    },
  });
  const jobs = inHandOf([{ n: 1, _ctx }, { n: 2 }]);
  await runBatch(app.services, one, jobs);
  t.deepEqual(
    jobs.map(({ outcome }) => outcome),
    ['completed', 'completed'],
  );
  t.deepEqual(payloads, [{ n: 1 }, { n: 2 }], 'handlers do not see it; a job of an earlier version has none');
  t.like(lines[0], { job: kind.name, job_id: jobs[0]?.id, correlation_id: 'request-1' });
  const [first, second] = (await sent(next.name)).map((data) => splitPayload(data).context);
  t.deepEqual(first, { ..._ctx, caller_id: kind.name, traceparent: null });
  t.like(second, { user: null, project: null, caller_id: kind.name });
  t.regex(second?.correlation_id as string, /^[0-9a-f-]{36}$/);
});

test('jobs that are done together send what they agree on', async (t) => {
  const next = queueJob<{ n: number }>('test.context.agreed', { category: 'database' });
  await app.services.boss.createQueue(next.name, next.queue);
  const kind = queueJob<{ n: number }>('test.context.together');
  const together = handler<{ n: number }>({
    kind,
    batchSize: 2,
    async handleBatch(ctx) {
      await ctx.transaction(() => ctx.jobs.sendAll(next, [{ n: 1 }]));
    },
  });
  const common = { project: 'a/b', root_namespace: 'a', caller_id: null, feature_category: 'x' };
  const jobs = inHandOf([
    { n: 1, _ctx: { ...common, user: 'jane', correlation_id: 'one' } },
    { n: 2, _ctx: { ...common, user: 'joe', correlation_id: 'two' } },
  ]);
  await runBatch(app.services, together, jobs);
  const [data] = await sent(next.name);
  t.like(data?._ctx, { user: null, project: 'a/b', root_namespace: 'a', caller_id: kind.name });
  t.false(['one', 'two'].includes(String((data?._ctx as Record<string, unknown> | undefined)?.correlation_id)));
});

test('recurring jobs say that the service sends them', async (t) => {
  const [schedule] = await app
    .context()
    .query<{ data: object }>(sql`select s.data as "data" from pgboss.schedule s where s.name = ${tendQueueJobs.name}`);
  const { context } = splitPayload(schedule?.data ?? null);
  t.like(context, { user: null, project: null, caller_id: 'recurring_jobs', feature_category: 'database' });
});
