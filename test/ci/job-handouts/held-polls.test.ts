import test from 'ava';
import { sql } from 'kysely';
import { getHeldPolls } from '../../../shared/ci/job-handouts/held-polls.js';
import { listWaitingJobs } from '../../../shared/ci/job-handouts/list-waiting-jobs.js';
import { RUNNERS_CHANNEL } from '../../../shared/ci/job-queue/offered-jobs.js';
import { requestJob } from '../../../shared/ci/job-handouts/request-job.js';
import type { RequestedJob } from '../../../shared/ci/job-handouts/request-job.js';
import { Context } from '../../../shared/core/context/context.js';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { TestApp, useApp } from '../../core/app.js';
import { unique } from '../../core/builders.js';
import { buildRunner, isQueued, queueJobs } from './queue-steps.js';
import type { BuiltRunner } from './queue-steps.js';

const app = useApp(test);
const beside = new TestApp([], { beside: app });

/** Waits until a process hears of jobs. */
async function hearing(at: TestApp): Promise<void> {
  const polls = getHeldPolls(at.services);
  polls.start();
  while (!polls.hearing) await new Promise((resolve) => setImmediate(resolve));
}

test.before(async () => {
  await beside.start();
  await hearing(app);
  await hearing(beside);
});
test.after.always(() => beside.stop());

function request(at: TestApp, { runner, manager }: BuiltRunner, lastUpdate: string | null, signal?: AbortSignal) {
  const ctx = new Context(at.services, ANONYMOUS, { requestId: 'test', ip: null, signal });
  return requestJob(ctx, runner, manager, lastUpdate);
}

/** The value that an answer without a job brings. */
function getValue(answer: RequestedJob): string {
  if (answer.claim !== null) throw new Error('A job was given.');
  return answer.last_update;
}

/** Waits until a process holds so many requests: they are held only after their first statements. */
async function held(at: TestApp, count: number): Promise<void> {
  while (getHeldPolls(at.services).size !== count) await new Promise((resolve) => setImmediate(resolve));
}

/** Waits until both processes have heard of everything that is committed. */
async function allHeard(): Promise<void> {
  const marker = JSON.stringify({ runner: -unique() });
  const heard = [app, beside].map(
    ({ services }) =>
      new Promise<void>((resolve) => {
        const end = services.channels.hear(RUNNERS_CHANNEL, {
          onConnected: () => undefined,
          onNotification: (payload) => {
            if (payload !== marker) return;
            end();
            resolve();
          },
        });
      }),
  );
  await app.context().query(sql`select pg_notify(${RUNNERS_CHANNEL}, ${marker})`);
  await Promise.all(heard);
}

/** A runner of a project whose next request is held, and the value that it brings. */
async function buildIdleRunner(project: { id: number }, more: object = {}) {
  const built = await buildRunner(app, { runner_type: 'project_type', projects: [project], ...more });
  await allHeard();
  return { built, value: getValue(await request(app, built, null)) };
}

// Contract: ci-job-queue.held
test.serial('a request is held until a job is queued, at whichever process', async (t) => {
  const project = await app.build.project();
  const { built, value } = await buildIdleRunner(project);
  for (const at of [app, beside]) {
    // A process that does not know the value takes it over.
    if (at === beside) t.is(getValue(await request(at, built, value)), value);
    const answer = request(at, built, value);
    await held(at, 1);
    const [id] = await queueJobs(app, project, 1);
    t.like(await answer, { claim: { job_id: id } });
    // Where it was not waiting it is answered at once, and then waits again.
    t.is((await request(at, built, value)).claim, null);
    if (at === app) await app.context().query(sql`delete from ci_queue`);
  }
});

// Contract: ci-job-queue.held
test.serial('a held request costs no statement, and a job that it cannot take does not end it', async (t) => {
  const [project, other] = [await app.build.project(), await app.build.project()];
  const { built, value } = await buildIdleRunner(project);
  const answer = request(app, built, value);
  await held(app, 1);
  await queueJobs(app, other, 1, { tag_list: ['rare'] });
  const before = app.services.db.statements;
  const { built: another, value: its } = await buildIdleRunner(other);
  const more = request(app, another, its);
  await held(app, 2);
  const statements = app.services.db.statements - before;
  const third = request(app, another, its);
  await held(app, 3);
  t.is(app.services.db.statements - before, statements);
  const [id] = await queueJobs(app, project, 1);
  t.like(await answer, { claim: { job_id: id } });
  const ids = await queueJobs(app, other, 2);
  const claimed = (await Promise.all([more, third])).map(({ claim }) => (claim as { job_id: number }).job_id);
  t.deepEqual(
    claimed.toSorted((one, two) => one - two),
    ids,
  );
});

// Contract: ci-job-queue.held
test.serial('each job ends one of many requests', async (t) => {
  const project = await app.build.project();
  const idle = [await buildIdleRunner(project), await buildIdleRunner(project), await buildIdleRunner(project)];
  const answers = idle.map(({ built, value }) => request(app, built, value));
  await held(app, 3);
  const ids: number[] = [];
  for (const left of [2, 1, 0]) {
    ids.push(...(await queueJobs(app, project, 1)));
    // The next one is woken as well, and finds nothing.
    await held(app, left);
  }
  const claimed = (await Promise.all(answers)).map(({ claim }) => (claim as { job_id: number }).job_id);
  t.deepEqual(
    claimed.toSorted((one, two) => one - two),
    ids,
  );
});

// Contract: ci-job-queue.held
test.serial('jobs of every kind are offered again, however many kinds wait that no runner takes', async (t) => {
  const project = await app.build.project();
  const ids = await queueJobs(app, project, 250);
  await app.context().query(sql`update ci_queue set tag_list = array[job_id::text] where project_id = ${project.id}`);
  const found = new Set<string>();
  for (let polls = 0; polls < 100 && found.size < ids.length; polls += 1)
    for (const jobs of await listWaitingJobs(app.services.db, app.clock.now()))
      if (jobs.project_id === project.id) for (const tag of jobs.tags ?? []) found.add(tag);
  t.is(found.size, ids.length);
  await app.context().query(sql`delete from ci_queue where project_id = ${project.id}`);
});

// Contract: ci-job-queue.held
test.serial('a request ends when its client leaves, and when its runner changes', async (t) => {
  const project = await app.build.project();
  const { built, value } = await buildIdleRunner(project, { projects: [project, await app.build.project()] });
  const client = new AbortController();
  const left = request(app, built, value, client.signal);
  await held(app, 1);
  client.abort();
  t.is((await left).claim, null);
  for (const change of [
    sql`update runners set paused = true where id = ${built.runner.id}`,
    sql`update runners set paused = false where id = ${built.runner.id}`,
    sql`delete from runner_projects where runner_id = ${built.runner.id} and project_id = ${project.id}`,
    sql`delete from runners where id = ${built.runner.id}`,
  ]) {
    const current = getHeldPolls(app.services).getValue(built.runner);
    const answer = request(app, built, current);
    await held(app, 1);
    await app.context().query(change);
    t.not(getValue(await answer), current);
    await allHeard();
  }
});

/** Tells every process of a job with this tag, which nobody has queued. */
async function offerNothing(project: { id: number }, tag: string): Promise<void> {
  const offer = { project_id: project.id, namespace_ids: [], instance: true, group: true, protected: false };
  const payload = JSON.stringify({ version: `v${unique()}`, jobs: [{ ...offer, tags: [tag], count: 1 }] });
  await app.context().query(sql`select pg_notify(${RUNNERS_CHANNEL}, ${payload})`);
}

// Contract: ci-job-queue.held
test.serial('a request does not wait on with what its runner was before it changed', async (t) => {
  const project = await app.build.project();
  const { built, value } = await buildIdleRunner(project, { tag_list: ['a'] });
  const answer = request(app, built, value);
  await held(app, 1);
  const ctx = app.context();
  await ctx.transaction(async () => {
    await ctx.query(sql`lock table ci_queue in access exclusive mode`);
    await offerNothing(project, 'a');
    // It was woken, and looks for the job.
    await held(app, 0);
    await app.context().query(sql`update runners set tag_list = '{b}' where id = ${built.runner.id}`);
    await allHeard();
  });
  t.not(getValue(await answer), value);
  t.is(getHeldPolls(app.services).size, 0);
});

// Contract: ci-job-queue.held
test.serial('nor does a request wait whose runner changed after it was read', async (t) => {
  const project = await app.build.project();
  const { built } = await buildIdleRunner(project, { tag_list: ['a'] });
  const { changes } = getHeldPolls(app.services);
  await app.context().query(sql`update runners set tag_list = '{b}' where id = ${built.runner.id}`);
  await allHeard();
  // Another program of the runner has asked meanwhile.
  const changed = { ...built, runner: { ...built.runner, tag_list: ['b'] } };
  const value = getValue(await request(app, changed, null));
  const late = requestJob(app.context(), built.runner, built.manager, value, changes);
  t.not(getValue(await late), value);
  const answer = request(app, changed, value);
  await held(app, 1);
  const [id] = await queueJobs(app, project, 1, { tag_list: ['b'] });
  t.like(await answer, { claim: { job_id: id } });
});

test.serial('an edit that is no change, such as a contact, ends no request', async (t) => {
  const project = await app.build.project();
  const { built, value } = await buildIdleRunner(project);
  const answer = request(app, built, value);
  await held(app, 1);
  await app
    .context()
    .query(sql`update runners set contacted_at = now(), tag_list = tag_list where id = ${built.runner.id}`);
  const [id] = await queueJobs(app, project, 1);
  t.like(await answer, { claim: { job_id: id } });
});

test.serial('with waiting switched off every request is answered at once', async (t) => {
  await app.set({ ci_long_poll_seconds: 0 });
  const { built, value } = await buildIdleRunner(await app.build.project());
  t.is(getValue(await request(app, built, value)), value);
  await app.set({ ci_long_poll_seconds: 50 });
});

// Contract: ci-job-queue.held
test.serial('vector 66: a process that stops answers a thousand held requests, and holds no further one', async (t) => {
  const project = await app.build.project();
  const stopping = new TestApp([], { beside: app });
  await stopping.start();
  await hearing(stopping);
  const { built, value } = await buildIdleRunner(project);
  t.is(getValue(await request(stopping, built, value)), value);
  const answers = Array.from({ length: 1_000 }, () => request(stopping, built, value));
  await held(stopping, 1_000);
  getHeldPolls(stopping.services).stop();
  t.is(getHeldPolls(stopping.services).size, 0);
  for (const answer of await Promise.all(answers)) t.is(answer.claim, null);
  t.is((await request(stopping, built, value)).claim, null);
  const [id] = (await queueJobs(app, project, 1)) as [number];
  t.true(await isQueued(app, id));
  await stopping.stop();
});
