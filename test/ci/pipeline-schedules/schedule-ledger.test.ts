import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { getPath, ring } from './schedule-steps.js';

const app = useApp(test);

interface Row {
  state: string;
  trigger?: string;
  cause?: string;
  /** Milliseconds. */
  late?: number;
}

/** A schedule with these runs, an hour apart from midnight on, the first of them first. */
async function withRuns(rows: readonly Row[]) {
  const schedule = await app.build.schedule();
  for (const [hour, { state, trigger = 'cron', cause = null, late = null }] of rows.entries()) {
    const due = new Date(Date.UTC(2029, 4, 1, hour));
    await app.context().query(sql`
      insert into pipeline_schedule_runs (project_id, pipeline_schedule_id, due_at, trigger, state, cause, reason,
                                          started_at, created_at)
      values (${schedule.project_id}, ${schedule.id}, ${due}, ${trigger}, ${state}, ${cause},
              ${cause === null ? null : 'So it was, "sadly".'}, ${late === null ? null : new Date(due.getTime() + late)}, ${due})`);
  }
  const client = app.as(schedule.ownedBy);
  const path = getPath(schedule.project, `/${schedule.id}/runs`);
  return { schedule, client, path };
}

const ROWS: readonly Row[] = [
  { state: 'fired', late: 12 },
  { state: 'fired', late: 1000 },
  { state: 'fired', late: 1001 },
  { state: 'fired', late: 40, trigger: 'play' },
  { state: 'missed', cause: 'service_down' },
  { state: 'failed', cause: 'ref_missing', late: 30 },
];
const OUTCOMES = ['on_time', 'on_time', 'late', 'played', 'missed', 'failed'];

// Contract: schedules-ledger.moments
test('every due moment is told with its outcome and cause, and chosen by outcome and time', async (t) => {
  const { client, path } = await withRuns(ROWS);
  const outcomes = async (query: string) =>
    (await client.get(`${path}?${query}`)).body.map((run: { outcome: string }) => run.outcome);
  t.deepEqual(await outcomes(''), OUTCOMES.toReversed());
  t.deepEqual(await outcomes('outcome=on_time'), ['on_time', 'on_time']);
  t.deepEqual(await outcomes('outcome=late,missed'), ['missed', 'late']);
  t.deepEqual(await outcomes('outcome[]=played&outcome[]=failed'), ['failed', 'played']);
  t.deepEqual(await outcomes('due_after=2029-05-01T02:00:00Z&due_before=2029-05-01T04:00:00Z'), ['played', 'late']);
  const { body } = await client.get(`${path}?outcome=failed`);
  t.like(body[0], { cause: 'ref_missing', reason: 'So it was, "sadly".', lateness_ms: 30 });
  t.is((await client.get(`${path}?outcome=good`)).status, 400);
});

// Contract: schedules-ledger.moments
test('keyset pages of the ledger show each moment once, also what an inactive schedule lets pass', async (t) => {
  const { client, path, schedule } = await withRuns(ROWS);
  await client.put(getPath(schedule.project, `/${schedule.id}`), { active: false });
  await app.context().query(sql`
    update pipeline_schedules set next_run_at = now() - interval '20 years' where id = ${schedule.id}`);
  const outcomes: string[] = [];
  let next: string | null = `${path}?pagination=keyset&per_page=3`;
  for (let pages = 0; next !== null && pages < 9; pages += 1) {
    const { body, headers } = await client.get(next);
    outcomes.push(...body.map((run: { outcome: string }) => run.outcome));
    next = /<[^>]*\/api\/v4([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;
  }
  t.deepEqual(outcomes, ['skipped', ...OUTCOMES.toReversed()]);
});

// Contract: schedules-ledger.summary
test('the summary counts by outcome and cause, and tells how late runs by cron were', async (t) => {
  const { client, path } = await withRuns(ROWS);
  const { body } = await client.get(`${path}/summary`);
  t.is(body.total, 6);
  const ofFiles = { filtered: 0, config_error: 0 };
  t.deepEqual(body.outcomes, {
    on_time: 2,
    late: 1,
    played: 1,
    pending: 0,
    failed: 1,
    missed: 1,
    skipped: 0,
    ...ofFiles,
  });
  t.deepEqual(body.causes, { service_down: 1, ref_missing: 1 });
  t.like(body.lateness_ms, { p50: 1000, max: 1001 });
  t.is(body.first_due_at, '2029-05-01T00:00:00.000Z');
  t.is(body.last_due_at, '2029-05-01T05:00:00.000Z');
  const none = (await client.get(`${path}/summary?due_after=2029-06-01T00:00:00Z`)).body;
  t.like(none, { total: 0, causes: {}, first_due_at: null });
  t.deepEqual(none.lateness_ms, { p50: null, p90: null, p99: null, max: null });
});

// Contract: schedules-ledger.csv
test('the ledger is got as CSV, with what is filtered', async (t) => {
  const { client, path, schedule } = await withRuns(ROWS);
  const { text, headers } = await client.get(`${path}/export?outcome=late,failed`);
  t.is(headers.get('content-type'), 'text/csv; charset=utf-8');
  t.is(headers.get('content-disposition'), `attachment; filename="schedule-${schedule.id}-runs.csv"`);
  const [head, first, second, ...rest] = text.split('\r\n');
  t.is(head, 'id,due_at,outcome,lateness_ms,started_at,cause,reason,pipeline_id,by');
  t.regex(first ?? '', /^\d+,2029-05-01T05:00:00.000Z,failed,30,.*,ref_missing,"So it was, ""sadly"".",,cron$/);
  t.regex(second ?? '', /^\d+,2029-05-01T02:00:00.000Z,late,1001,2029-05-01T02:00:01.001Z,,,,cron$/);
  t.deepEqual(rest, ['']);
});

// Contract: schedules-ledger.recent
test('the newest runs of many schedules are told at once, those that the caller may not see left out', async (t) => {
  const one = await withRuns(ROWS);
  const other = await withRuns([{ state: 'fired', late: 1 }]);
  const quiet = await app.build.schedule();
  await app.build.member(other.schedule.project, 'reporter', one.schedule.ownedBy);
  const ids = `ids=${one.schedule.id},${other.schedule.id},${quiet.id}`;
  const { body } = await one.client.get(`/pipeline_schedules/recent_runs?${ids}&count=2`);
  t.deepEqual(
    body.map(({ pipeline_schedule_id: id, runs }: { pipeline_schedule_id: number; runs: { outcome: string }[] }) => [
      id,
      runs.map(({ outcome }) => outcome),
    ]),
    [
      [one.schedule.id, ['missed', 'failed']],
      [other.schedule.id, ['on_time']],
    ],
  );
  t.deepEqual((await app.as(quiet.ownedBy).get(`/pipeline_schedules/recent_runs?${ids}`)).body, []);
  const many = Array.from({ length: 101 }, (_none, index) => index + 1).join(',');
  t.is((await one.client.get(`/pipeline_schedules/recent_runs?ids=${many}`)).status, 400);
  t.is((await one.client.get(`/pipeline_schedules/recent_runs?ids=1&count=31`)).status, 400);
});

// Contract: schedules-ledger.moments
test.serial('a run that fails says by one word why: the ref is gone, or the owner lost the right', async (t) => {
  const schedule = await app.build.schedule({ cron: '0 * * * *' });
  const client = app.as(schedule.ownedBy);
  const newest = async () =>
    (await client.get(getPath(schedule.project, `/${schedule.id}/runs?per_page=1`))).body[0] as Record<string, unknown>;
  const become = (change: ReturnType<typeof sql>) => app.context().query(change);
  await become(sql`update pipeline_schedules set ref = 'refs/heads/gone' where id = ${schedule.id}`);
  app.clock.advance('1 hour');
  await ring(app);
  t.like(await newest(), { outcome: 'failed', cause: 'ref_missing' });
  const developer = await app.build.user();
  await app.build.member(schedule.project, 'reporter', developer);
  await become(sql`update pipeline_schedules set owner_id = ${developer.id} where id = ${schedule.id}`);
  app.clock.advance('1 hour');
  await ring(app);
  t.like(await newest(), { outcome: 'failed', cause: 'owner_without_rights' });
});

// Contract: schedules-ledger.limit
test.serial('what the limit of runs a day passed over is one record before the run that comes then', async (t) => {
  app.clock.set('2031-06-01T00:00:00.000Z');
  await app.set({ ci_daily_pipeline_schedule_triggers: 24 });
  t.teardown(() => app.set({ ci_daily_pipeline_schedule_triggers: 0 }));
  const schedule = await app.build.schedule({ cron: '*/10 * * * *' });
  for (const at of ['00:10', '01:10']) {
    app.clock.set(`2031-06-01T${at}:00.000Z`);
    await ring(app);
  }
  const { body } = await app.as(schedule.ownedBy).get(getPath(schedule.project, `/${schedule.id}/runs`));
  t.deepEqual(
    body.map((run: { outcome: string; cause: string | null; due_at: string; reason: string | null }) => [
      run.due_at.slice(11, 16),
      run.outcome,
      run.cause,
      run.reason,
    ]),
    [
      ['01:10', 'on_time', null, null],
      [
        '00:20',
        'skipped',
        'daily_limit',
        'The limit of 24 runs a day passes over 5 moments, the last at 2031-06-01T01:00:00.000Z.',
      ],
      ['00:10', 'on_time', null, null],
    ],
  );
});
