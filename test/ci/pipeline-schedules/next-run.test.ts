import test from 'ava';
import { nextRun, nextRunWithDailyLimit } from '../../../shared/ci/cron/next-run.js';
import { nextRuns } from '../../../shared/ci/cron/next-runs.js';

/** Local wall times with offset of the next runs: `2026-03-29 03:00 +02:00`. */
function local(expression: string, zone: string, after: string, count: number): string[] {
  return nextRuns(expression, zone, new Date(after), count).map(
    (run) => `${run.local.slice(0, 16).replace('T', ' ')} ${run.offset}`,
  );
}

function next(expression: string, zone: string, after: string): string | undefined {
  return nextRun(expression, zone, new Date(after))?.toISOString();
}

function notes(expression: string, zone: string, after: string, count: number): (string | null)[] {
  return nextRuns(expression, zone, new Date(after), count).map((run) => run.note);
}

test('the next run is on a whole minute, strictly later, and follows the zone', (t) => {
  t.is(next('0 1 * * *', 'Asia/Tokyo', '2030-01-01T12:34:56.789Z'), '2030-01-01T16:00:00.000Z');
  t.is(next('0 1 * * *', 'Tokyo', '2030-01-01T16:00:00.000Z'), '2030-01-02T16:00:00.000Z');
  t.is(next('0 1 * * *', 'Tokyo', '2030-01-01T15:59:59.999Z'), '2030-01-01T16:00:00.000Z');
  t.is(next('* * * * *', 'UTC', '2030-01-01T00:00:00.001Z'), '2030-01-01T00:01:00.000Z');
  t.is(next('15 10 * * *', 'Asia/Kathmandu', '2030-01-01T00:00:00Z'), '2030-01-01T04:30:00.000Z');
  t.is(next('0 0 * * mon', 'Pacific/Kiritimati', '2026-01-03T00:00:00Z'), '2026-01-04T10:00:00.000Z');
});

test('an invalid expression, zone or start has no next run', (t) => {
  t.is(next('every day', 'UTC', '2030-01-01T00:00:00Z'), undefined);
  t.is(next('0 1 * * *', 'Mars/Base', '2030-01-01T00:00:00Z'), undefined);
  t.is(nextRun('0 1 * * *', 'UTC', new Date(Number.NaN)), null);
  t.deepEqual(nextRuns('0 1 * * *', 'Mars/Base', new Date(0), 3), []);
});

test('a fixed time in a gap runs at the first instant after it', (t) => {
  t.deepEqual(local('30 2 * * *', 'Europe/Berlin', '2026-03-28T00:00:00Z', 3), [
    '2026-03-28 02:30 +01:00',
    '2026-03-29 03:00 +02:00',
    '2026-03-30 02:30 +02:00',
  ]);
});

test('several fixed times in one gap, or at its end, make one run', (t) => {
  t.deepEqual(local('0,15,45 2,3 * * *', 'Europe/Berlin', '2026-03-29T00:30:00Z', 2), [
    '2026-03-29 03:00 +02:00',
    '2026-03-29 03:15 +02:00',
  ]);
});

test('a fixed time in an overlap runs at its first occurrence only', (t) => {
  t.deepEqual(local('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2), [
    '2026-10-25 02:30 +02:00',
    '2026-10-26 02:30 +01:00',
  ]);
  t.is(
    next('30 2 * * *', 'Europe/Berlin', '2026-10-25T01:10:00Z'),
    '2026-10-26T01:30:00.000Z',
    'asked during the second pass',
  );
});

test('a wildcard hour follows elapsed time through an overlap and skips a gap', (t) => {
  t.deepEqual(local('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 3), [
    '2026-10-25 02:00 +02:00',
    '2026-10-25 02:00 +01:00',
    '2026-10-25 03:00 +01:00',
  ]);
  t.deepEqual(local('0 * * * *', 'Europe/Berlin', '2026-03-28T23:30:00Z', 2), [
    '2026-03-29 01:00 +01:00',
    '2026-03-29 03:00 +02:00',
  ]);
  t.deepEqual(local('0 */2 * * *', 'Europe/Berlin', '2026-03-28T22:30:00Z', 2), [
    '2026-03-29 00:00 +01:00',
    '2026-03-29 04:00 +02:00',
  ]);
  t.deepEqual(local('*/30 1 * * *', 'America/New_York', '2026-11-01T04:30:00Z', 5), [
    '2026-11-01 01:00 -04:00',
    '2026-11-01 01:30 -04:00',
    '2026-11-01 01:00 -05:00',
    '2026-11-01 01:30 -05:00',
    '2026-11-02 01:00 -05:00',
  ]);
});

test('half-hour gaps and overlaps of Lord Howe Island are exact', (t) => {
  t.deepEqual(local('0 2 * * *', 'Australia/Lord_Howe', '2026-10-03T00:00:00Z', 2), [
    '2026-10-04 02:30 +11:00',
    '2026-10-05 02:00 +11:00',
  ]);
  t.deepEqual(local('*/15 * * * *', 'Australia/Lord_Howe', '2026-10-03T15:10:00Z', 3), [
    '2026-10-04 01:45 +10:30',
    '2026-10-04 02:30 +11:00',
    '2026-10-04 02:45 +11:00',
  ]);
  t.deepEqual(local('45 1 * * *', 'Australia/Lord_Howe', '2026-04-04T00:00:00Z', 2), [
    '2026-04-05 01:45 +11:00',
    '2026-04-06 01:45 +10:30',
  ]);
  t.deepEqual(local('*/15 * * * *', 'Australia/Lord_Howe', '2026-04-04T14:40:00Z', 3), [
    '2026-04-05 01:45 +11:00',
    '2026-04-05 01:30 +10:30',
    '2026-04-05 01:45 +10:30',
  ]);
});

test('a gap at midnight moves midnight, and keeps the day', (t) => {
  t.deepEqual(local('0 0 * * *', 'America/Havana', '2026-03-07T06:00:00Z', 2), [
    '2026-03-08 01:00 -04:00',
    '2026-03-09 00:00 -04:00',
  ]);
  t.deepEqual(local('0 0 * * sun', 'America/Havana', '2026-03-07T06:00:00Z', 1), ['2026-03-08 01:00 -04:00']);
  t.deepEqual(local('0 0 24 4 *', 'Africa/Cairo', '2026-01-01T00:00:00Z', 1), ['2026-04-24 01:00 +03:00']);
});

test('an overlap across midnight repeats the evening, not the day', (t) => {
  t.deepEqual(local('30 23 * * *', 'Africa/Cairo', '2026-10-29T12:00:00Z', 2), [
    '2026-10-29 23:30 +03:00',
    '2026-10-30 23:30 +02:00',
  ]);
  t.deepEqual(local('0 0 * * *', 'Africa/Cairo', '2026-10-29T12:00:00Z', 2), [
    '2026-10-30 00:00 +02:00',
    '2026-10-31 00:00 +02:00',
  ]);
});

test('a date that a zone left out runs at the first instant after it', (t) => {
  t.deepEqual(local('0 12 * * *', 'Pacific/Apia', '2011-12-29T00:00:00Z', 3), [
    '2011-12-29 12:00 -10:00',
    '2011-12-31 00:00 +14:00',
    '2011-12-31 12:00 +14:00',
  ]);
  t.deepEqual(local('0 9 * * fri', 'Pacific/Apia', '2011-12-29T00:00:00Z', 2), [
    '2011-12-31 00:00 +14:00',
    '2012-01-06 09:00 +14:00',
  ]);
  t.deepEqual(local('0 */12 * * *', 'Pacific/Apia', '2011-12-29T12:00:00Z', 3), [
    '2011-12-29 12:00 -10:00',
    '2011-12-31 00:00 +14:00',
    '2011-12-31 12:00 +14:00',
  ]);
  t.deepEqual(local('30 6 * * *', 'Pacific/Kwajalein', '1993-08-20T00:00:00Z', 3), [
    '1993-08-20 06:30 -12:00',
    '1993-08-22 00:00 +12:00',
    '1993-08-22 06:30 +12:00',
  ]);
});

test('a wildcard minute in an hour that is always skipped never runs', (t) => {
  t.is(next('*/15 2 * 3 0L', 'Europe/Berlin', '2026-01-01T00:00:00Z'), undefined);
  t.is(next('30 2 * 3 0L', 'Europe/Berlin', '2026-01-01T00:00:00Z'), '2026-03-29T01:00:00.000Z');
});

test('notes say what a change of the clock does to a fixed time', (t) => {
  t.deepEqual(notes('30 2 * * *', 'Berlin', '2026-03-28T00:00:00Z', 3), [
    null,
    '02:30 does not exist on 2026-03-29 in Europe/Berlin; runs at 03:00',
    null,
  ]);
  t.deepEqual(notes('0,30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 1), [
    '02:00 and 02:30 do not exist on 2026-03-29 in Europe/Berlin; runs once at 03:00',
  ]);
  t.deepEqual(notes('0,20,40 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 1), [
    '02:00 to 02:40 do not exist on 2026-03-29 in Europe/Berlin; runs once at 03:00',
  ]);
  t.deepEqual(notes('30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', 2), [
    '02:30 happens twice on 2026-10-25 in Europe/Berlin; runs at the first',
    null,
  ]);
  t.deepEqual(notes('0 3 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', 1), [null]);
  t.deepEqual(notes('0 12 30 12 *', 'Pacific/Apia', '2011-12-29T00:00:00Z', 1), [
    '12:00 does not exist on 2011-12-30 in Pacific/Apia; runs at 2011-12-31 00:00',
  ]);
});

test('notes say what a change of the clock does to a wildcard', (t) => {
  t.deepEqual(notes('0 * * * *', 'Europe/Berlin', '2026-10-24T23:30:00Z', 3), [
    '02:00 happens twice on 2026-10-25 in Europe/Berlin; runs at both, this is the first',
    '02:00 happens twice on 2026-10-25 in Europe/Berlin; runs at both, this is the second',
    null,
  ]);
  t.deepEqual(notes('*/15 * * * *', 'Europe/Berlin', '2026-03-29T00:40:00Z', 3), [
    null,
    '02:00 to 02:45 do not exist on 2026-03-29 in Europe/Berlin; skipped',
    null,
  ]);
});

test('a run shows its instant, local time and offset', (t) => {
  t.deepEqual(nextRuns('0 9 * * *', 'Newfoundland', new Date('2026-07-01T00:00:00Z'), 1), [
    { at: new Date('2026-07-01T11:30:00Z'), local: '2026-07-01T09:00:00', offset: '-02:30', note: null },
  ]);
});

function limited(
  after: string,
  lastRun: string | null,
  perDay: number,
  expression = '*/10 * * * *',
): string | undefined {
  return nextRunWithDailyLimit(
    expression,
    'UTC',
    new Date(after),
    lastRun === null ? null : new Date(lastRun),
    perDay,
  )?.toISOString();
}

// Contract: schedules-6.3
test('the daily limit moves a run to the first matching instant that is far enough from the last', (t) => {
  t.is(limited('2026-01-01T10:01:00Z', '2026-01-01T10:00:00Z', 24), '2026-01-01T11:00:00.000Z');
  t.is(limited('2026-01-01T10:01:00Z', '2026-01-01T10:00:01Z', 24), '2026-01-01T11:10:00.000Z');
  t.is(
    limited('2026-01-01T10:01:00Z', '2026-01-01T10:00:00Z', 7),
    '2026-01-01T13:30:00.000Z',
    'floor(1440 / 7) = 205 minutes',
  );
  t.is(limited('2026-01-01T10:01:00Z', '2026-01-01T10:00:00Z', 1, '0 1 * * *'), '2026-01-03T01:00:00.000Z');
});

test('without a limit, without a last run, or far enough from it, the next run stays', (t) => {
  t.is(limited('2026-01-01T10:01:00Z', '2026-01-01T10:00:00Z', 0), '2026-01-01T10:10:00.000Z');
  t.is(limited('2026-01-01T10:01:00Z', null, 24), '2026-01-01T10:10:00.000Z');
  t.is(limited('2026-01-01T10:01:00Z', '2025-12-31T10:00:00Z', 24), '2026-01-01T10:10:00.000Z');
  t.is(limited('2026-01-01T10:01:00Z', '2026-01-01T10:00:00Z', 1440), '2026-01-01T10:10:00.000Z');
});
