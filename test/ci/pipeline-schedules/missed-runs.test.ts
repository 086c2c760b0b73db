import test from 'ava';
import { dueRuns } from '../../../shared/ci/pipeline-schedules/missed-runs.js';
import { useApp } from '../../core/app.js';
import { create, getPath, ring, getRuns } from './schedule-steps.js';

const app = useApp(test);

const due = (missed_policy: string, cron: string, since: string) => ({
  cron,
  cron_timezone: 'UTC',
  missed_policy,
  next_run_at: new Date(since),
});

function states(runs: { state: string }[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of runs) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

test('on time a schedule fires once, whatever its policy', (t) => {
  for (const policy of ['last', 'skip', 'all']) {
    const now = new Date('2030-01-01T01:00:00.010Z');
    const { runs, nextRunAt } = dueRuns(due(policy, '0 * * * *', '2030-01-01T01:00:00Z'), now, 0);
    t.deepEqual(states(runs), { pending: 1 });
    t.is(nextRunAt?.toISOString(), '2030-01-01T02:00:00.000Z');
  }
});

// Contract: readme-decision-7
test('after an outage last fires the newest moment and records the others as missed', (t) => {
  const { runs, nextRunAt } = dueRuns(
    due('last', '0 * * * *', '2030-01-01T01:00:00Z'),
    new Date('2030-01-04T00:30:00Z'),
    0,
  );
  t.deepEqual(states(runs), { missed: 71, pending: 1 });
  t.is(runs.at(-1)?.dueAt.toISOString(), '2030-01-04T00:00:00.000Z');
  t.is(runs.at(-1)?.state, 'pending');
  t.is(runs[0]?.reason, 'The service was down.');
  t.is(nextRunAt?.toISOString(), '2030-01-04T01:00:00.000Z');
});

// Contract: readme-decision-7
test('after an outage skip fires nothing that is over a minute late', (t) => {
  const schedule = due('skip', '0 * * * *', '2030-01-01T01:00:00Z');
  t.deepEqual(states(dueRuns(schedule, new Date('2030-01-01T03:30:00Z'), 0).runs), { missed: 3 });
  t.deepEqual(states(dueRuns(schedule, new Date('2030-01-01T03:00:30Z'), 0).runs), { missed: 2, pending: 1 });
});

// Contract: readme-decision-7
test('after an outage all fires each moment', (t) => {
  const schedule = due('all', '0 * * * *', '2030-01-01T01:00:00Z');
  const { runs, nextRunAt } = dueRuns(schedule, new Date('2030-01-04T00:30:00Z'), 0);
  t.deepEqual(states(runs), { pending: 72 });
  t.is(nextRunAt?.toISOString(), '2030-01-04T01:00:00.000Z');
});

test('all takes a long outage in parts, and stays due until the last one', (t) => {
  const now = new Date('2030-01-04T00:00:30Z');
  const schedule = due('all', '* * * * *', '2030-01-01T00:01:00Z');
  let fired = 0;
  for (let next: Date | null = schedule.next_run_at; next && next <= now;) {
    const part = dueRuns({ ...schedule, next_run_at: next }, now, 0);
    fired += part.runs.length;
    next = part.nextRunAt;
  }
  t.is(fired, 3 * 24 * 60);
});

test('what is older than a thousand missed moments is summed up in the oldest of them', (t) => {
  const schedule = due('last', '* * * * *', '2030-01-01T00:01:00Z');
  const { runs } = dueRuns(schedule, new Date('2030-01-04T00:00:30Z'), 0);
  t.deepEqual(states(runs), { missed: 1000, pending: 1 });
  t.is(runs[0]?.reason, 'The service was down; 3319 earlier runs since 2030-01-01T00:01:00.000Z were missed as well.');
  t.is(runs[1]?.reason, 'The service was down.');
});

test('after a year the newest moment is still found, and the older ones are not counted', (t) => {
  const schedule = due('last', '* * * * *', '2029-01-01T00:01:00Z');
  const { runs, nextRunAt } = dueRuns(schedule, new Date('2030-01-01T00:00:30Z'), 0);
  t.deepEqual(states(runs), { missed: 1000, pending: 1 });
  t.is(runs.at(-1)?.dueAt.toISOString(), '2030-01-01T00:00:00.000Z');
  t.is(nextRunAt?.toISOString(), '2030-01-01T00:01:00.000Z');
  t.is(runs[0]?.reason, 'The service was down; all earlier runs since 2029-01-01T00:01:00.000Z were missed as well.');
});

test('a schedule of one minute of the year is not lost in a long outage', (t) => {
  const { runs } = dueRuns(due('last', '0 0 1 1 *', '2020-01-01T00:00:00Z'), new Date('2030-06-01T00:00:00Z'), 0);
  t.deepEqual(states(runs), { missed: 10, pending: 1 });
});

// Contract: schedules-6.3
test('the limit of runs a day holds for what is missed as well', (t) => {
  const { runs, nextRunAt } = dueRuns(
    due('last', '0 * * * *', '2030-01-01T01:00:00Z'),
    new Date('2030-01-02T00:30:00Z'),
    2,
  );
  t.deepEqual(states(runs), { missed: 1, pending: 1 });
  t.is(nextRunAt?.toISOString(), '2030-01-02T01:00:00.000Z');
});

// Contract: readme-decision-7
test.serial('three days without the service leave one pipeline for last, none for skip and each for all', async (t) => {
  const project = await app.build.project();
  const client = app.as(project.owner);
  const schedules: Record<string, { id: number }> = {};
  for (const missed_policy of ['last', 'skip', 'all'])
    schedules[missed_policy] = (await create(client, project, { cron: '0 */6 * * *', missed_policy })).body;
  app.clock.advance('3 days');
  app.clock.advance('10 minutes');
  await ring(app);
  const found: Record<string, unknown> = {};
  for (const [policy, schedule] of Object.entries(schedules)) {
    found[policy] = states(await getRuns(app, schedule));
    t.is((await client.get(getPath(project, `/${schedule.id}`))).body.next_run_at, '2030-01-04T06:00:00.000Z');
  }
  t.deepEqual(found, { last: { missed: 11, fired: 1 }, skip: { missed: 12 }, all: { fired: 12 } });
  const { body } = await client.get(getPath(project, `/${schedules.last?.id}/runs`));
  t.like(body[0], { state: 'fired', due_at: '2030-01-04T00:00:00.000Z', lateness_ms: 600_000 });
  t.like(body[1], { state: 'missed', due_at: '2030-01-03T18:00:00.000Z', reason: 'The service was down.' });
});
