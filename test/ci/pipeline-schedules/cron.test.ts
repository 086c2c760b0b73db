import test from 'ava';
import { CronExpressionParser } from 'cron-parser';
import fc from 'fast-check';
import { parseCron } from '../../../shared/ci/cron/cron.js';
import { nextRun } from '../../../shared/ci/cron/next-run.js';

/** The first `count` runs in UTC after 2026-01-01, as `YYYY-MM-DD HH:MM`. */
function runs(expression: string, count: number, after = '2026-01-01T00:00:00Z'): string[] {
  const found: string[] = [];
  let at: Date | null = new Date(after);
  while (found.length < count && (at = nextRun(expression, 'UTC', at)))
    found.push(at.toISOString().slice(0, 16).replace('T', ' '));
  return found;
}

function reason(expression: string): string {
  const parsed = parseCron(expression);
  return parsed.ok ? 'ok' : parsed.reason;
}

for (const expression of [
  '* * * * *',
  '  0 1 * * *  ',
  '0\t1 * *  *',
  '00 01 * * *',
  '*/15 8-18 * * 1-5',
  '5/20 * * * *',
  '*/90 * * * *',
  '0 0 L * *',
  '0 0 1,L * *',
  '0 0 * JAN-mar Mon,FRI',
  '0 0 * * 5L',
  '0 0 * * 1#2',
  '0 0 * * mon#1,mon#3',
  '0 0 * * 0-7',
  '0,0 8-18,12 * * *',
  '@daily',
  '@noon',
]) {
  test(`${JSON.stringify(expression)} is a cron expression`, (t) => {
    t.is(reason(expression), 'ok');
  });
}

for (const expression of [
  '',
  '   ',
  '*',
  '* *',
  '* * * *',
  '* * * * * *',
  '0 0 1 * * * *',
  'every day',
  'every day at noon',
  '@reboot',
  '@Daily',
  '@secondly',
  '60 * * * *',
  '0 24 * * *',
  '0 0 0 * *',
  '0 0 32 * *',
  '0 0 * 0 *',
  '0 0 * 13 *',
  '0 0 * * 8',
  '-1 * * * *',
  '*/0 * * * *',
  '1.5 * * * *',
  '1, * * * *',
  ',1 * * * *',
  '1- * * * *',
  '1-2-3 * * * *',
  '*/2/2 * * * *',
  '*-5 * * * *',
  '0 0 ? * *',
  'H * * * *',
  '0 0 L-3 * *',
  '0 0 15W * *',
  '0 0 1#2 * *',
  '0 0 * january *',
  '0 0 * janfeb *',
  '0 0 * mon *',
  '0 0 * * monday',
  '0 0 * * L',
  '0 0 * * 1#0',
  '0 0 * * 1#6',
  '0 0 * * *#2',
  '0 0 * * 1-5#2',
  'L * * * *',
  '__proto__ * * * *',
  `${'1,'.repeat(600)}1 * * * *`,
]) {
  test(`${JSON.stringify(expression.slice(0, 30))} is not a cron expression`, (t) => {
    t.deepEqual(parseCron(expression), { ok: false, reason: 'syntax', message: 'syntax is invalid' });
  });
}

for (const expression of ['0 0 30 2 *', '0 0 31 feb *', '0 0 30,31 2 *', '0 0 31 4,6,9,11 *', '* * 31 11 1-7']) {
  test(`${JSON.stringify(expression)} is told apart as an expression that never runs`, (t) => {
    t.is(reason(expression), 'never');
    t.is(nextRun(expression, 'UTC', new Date(0)), null);
  });
}

test('an impossible date does not hide a syntax error in another field', (t) => {
  t.is(reason('99 0 30 2 *'), 'syntax');
  t.is(reason('0 0 30 2 9'), 'syntax');
});

test('an impossible day of the month still runs by its weekday', (t) => {
  t.deepEqual(runs('0 0 30 2 mon', 2), ['2026-02-02 00:00', '2026-02-09 00:00']);
});

test('a month that lacks the day is passed over', (t) => {
  t.deepEqual(runs('0 0 31 4,5,6 *', 2), ['2026-05-31 00:00', '2027-05-31 00:00']);
});

test('29 February is found across the year 2100, which is no leap year', (t) => {
  t.deepEqual(runs('0 0 29 2 *', 3, '2095-06-01T00:00:00Z'), [
    '2096-02-29 00:00',
    '2104-02-29 00:00',
    '2108-02-29 00:00',
  ]);
});

test('a fifth Monday in February is found after 40 years', (t) => {
  t.deepEqual(runs('0 0 * 2 1#5', 3, '2044-03-01T00:00:00Z'), [
    '2072-02-29 00:00',
    '2112-02-29 00:00',
    '2140-02-29 00:00',
  ]);
});

test('L is the last day of each month, also beside other days', (t) => {
  t.deepEqual(runs('0 0 L * *', 3), ['2026-01-31 00:00', '2026-02-28 00:00', '2026-03-31 00:00']);
  t.deepEqual(runs('0 0 last 2 *', 3, '2027-01-01T00:00:00Z'), [
    '2027-02-28 00:00',
    '2028-02-29 00:00',
    '2029-02-28 00:00',
  ]);
  t.deepEqual(runs('0 0 15,L * *', 3), ['2026-01-15 00:00', '2026-01-31 00:00', '2026-02-15 00:00']);
});

test('L after a weekday is its last one in the month', (t) => {
  t.deepEqual(runs('0 0 * * 5L', 2), ['2026-01-30 00:00', '2026-02-27 00:00']);
  t.deepEqual(runs('0 0 * * friL', 2), runs('0 0 * * 5#L', 2));
  t.deepEqual(runs('0 0 * * 0L', 2), runs('0 0 * * 7L', 2));
  t.deepEqual(runs('0 0 * 1 1,3L', 5), [
    '2026-01-05 00:00',
    '2026-01-12 00:00',
    '2026-01-19 00:00',
    '2026-01-26 00:00',
    '2026-01-28 00:00',
  ]);
});

test('# is the nth weekday of the month, also in a list', (t) => {
  t.deepEqual(runs('0 9 * * 1#2', 2), ['2026-01-12 09:00', '2026-02-09 09:00']);
  t.deepEqual(runs('0 9 * * mon#1,MON#3', 3), ['2026-01-05 09:00', '2026-01-19 09:00', '2026-02-02 09:00']);
  t.deepEqual(runs('0 9 * * sun#1,wed', 2, '2026-01-30T00:00:00Z'), ['2026-02-01 09:00', '2026-02-04 09:00']);
  t.deepEqual(runs('0 9 * * 7#1', 1), ['2026-01-04 09:00']);
});

test('0 and 7 are both Sunday', (t) => {
  const sundays = ['2026-01-04 00:00', '2026-01-11 00:00'];
  for (const day of ['0', '7', 'sun', '7-7', '0,7']) t.deepEqual(runs(`0 0 * * ${day}`, 2), sundays, day);
  t.deepEqual(runs('0 0 * * 5-7', 3), ['2026-01-02 00:00', '2026-01-03 00:00', '2026-01-04 00:00']);
});

test('ranges wrap round the end of their field', (t) => {
  t.deepEqual(runs('0 22-1 * * *', 5), [
    '2026-01-01 01:00',
    '2026-01-01 22:00',
    '2026-01-01 23:00',
    '2026-01-02 00:00',
    '2026-01-02 01:00',
  ]);
  t.deepEqual(runs('0 0 * * sat-mon', 3), ['2026-01-03 00:00', '2026-01-04 00:00', '2026-01-05 00:00']);
  t.deepEqual(runs('0 0 1 nov-jan *', 3), ['2026-11-01 00:00', '2026-12-01 00:00', '2027-01-01 00:00']);
});

test('a day of month and a weekday are alternatives when both are restricted', (t) => {
  t.deepEqual(runs('0 0 13 * 5', 4, '2026-02-01T00:00:00Z'), [
    '2026-02-06 00:00',
    '2026-02-13 00:00',
    '2026-02-20 00:00',
    '2026-02-27 00:00',
  ]);
  t.deepEqual(runs('0 0 1 * 1', 2), ['2026-01-05 00:00', '2026-01-12 00:00']);
});

test('a day field that allows every day restricts nothing, however it is written', (t) => {
  for (const days of ['*', '*/1', '1-31'])
    t.deepEqual(runs(`0 0 ${days} 2 1`, 2), ['2026-02-02 00:00', '2026-02-09 00:00'], days);
  for (const weekdays of ['*', '0-6', '1-7', 'mon-sun'])
    t.deepEqual(runs(`0 0 1 * ${weekdays}`, 1), ['2026-02-01 00:00'], weekdays);
});

test('macros stand for their expressions', (t) => {
  const pairs = { '@yearly': '0 0 1 1 *', '@annually': '0 0 1 1 *', '@monthly': '0 0 1 * *', '@weekly': '0 0 * * 0' };
  for (const [macro, expression] of Object.entries(pairs)) t.deepEqual(runs(macro, 3), runs(expression, 3));
  t.deepEqual(runs('@midnight', 1), ['2026-01-02 00:00']);
  t.deepEqual(runs('@noon', 1), ['2026-01-01 12:00']);
  t.deepEqual(runs('@hourly', 1), ['2026-01-01 01:00']);
});

const fixed: Record<string, boolean> = {
  '30 2 * * *': true,
  '0,30 1-3 * * *': true,
  '0 0-22/2 * * *': true,
  '* * * * *': false,
  '0 * * * *': false,
  '* 2 * * *': false,
  '0 */2 * * *': false,
  '*/15 3 * * *': false,
  '5,*/20 3 * * *': false,
  '0 0-23 * * *': false,
  '0-59 4 * * *': false,
};
for (const [expression, isFixed] of Object.entries(fixed)) {
  test(`${expression} ${isFixed ? 'names fixed local times' : 'follows elapsed time'}`, (t) => {
    const parsed = parseCron(expression);
    t.is(parsed.ok && parsed.cron.fixed, isFixed);
  });
}

/** A field of numbers, ranges and steps that the library understands too: no value twice, no range that wraps. */
function field(min: number, max: number): fc.Arbitrary<string> {
  const range = fc
    .tuple(fc.integer({ min, max }), fc.integer({ min, max }))
    .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`);
  const step = fc.integer({ min: 2, max: 20 });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant('*') },
    fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 }).map((list) => list.join(',')),
    range,
    fc.tuple(range, step).map(([text, every]) => `${text}/${every}`),
    step.map((every) => `*/${every}`),
  );
}

test('in UTC every expression runs when the cron library says', (t) => {
  const weekday = fc.oneof(field(0, 6), fc.constantFrom('mon', 'TUE-fri', '5L', '1#2', 'sun#1', '1,3L', '0L'));
  const dayOfMonth = fc.oneof(field(1, 31), fc.constantFrom('L', '1,L', '31', '29,30'));
  const start = fc.date({ min: new Date('2020-01-01'), max: new Date('2045-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(
      field(0, 59),
      field(0, 23),
      dayOfMonth,
      field(1, 12),
      weekday,
      start,
      (minute, hour, day, month, dow, after) => {
        // The library takes a full day range as a restriction; the public server, and so ours, does not.
        fc.pre(day !== '1-31' && dow !== '0-6');
        const expression = [minute, hour, day, month, dow].join(' ');
        const parsed = parseCron(expression);
        if (!parsed.ok) {
          t.is(parsed.reason, 'never', expression);
          return;
        }
        let expected: Date[];
        try {
          expected = CronExpressionParser.parse(expression, { currentDate: after, tz: 'UTC' })
            .take(5)
            .map((date) => date.toDate());
        } catch {
          return t.fail(`${expression} is refused by the library`);
        }
        let at = after;
        for (const date of expected) {
          at = nextRun(expression, 'UTC', at)!;
          t.deepEqual(at, date, `${expression} after ${after.toISOString()}`);
        }
      },
    ),
    { numRuns: 1500, seed: 20260329 },
  );
});
