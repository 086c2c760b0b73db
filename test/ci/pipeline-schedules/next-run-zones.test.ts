import { setImmediate } from 'node:timers/promises';
import test from 'ava';
import { nextRun } from '../../../shared/ci/cron/next-run.js';

// A long test: it goes through every time zone.
// A process of its own: it computes for long.

// An enumerator that shares nothing with the code under test: it reads the wall clock of a zone minute by minute off Intl's formatted
// text, and decides each run by looking at the whole list of minutes around a change of the clock.

interface Wall {
  month: number;
  day: number;
  hour: number;
  minute: number;
  weekday: number;
  lastDay: boolean;
}

interface Case {
  expression: string;
  /** Runs once per local day; otherwise at every matching minute that passes. */
  fixed: boolean;
  matches: (wall: Wall) => boolean;
}

const CASES: Case[] = [
  { expression: '30 2 * * *', fixed: true, matches: (w) => w.hour === 2 && w.minute === 30 },
  { expression: '0 0 * * *', fixed: true, matches: (w) => w.hour === 0 && w.minute === 0 },
  { expression: '59 23 L * *', fixed: true, matches: (w) => w.lastDay && w.hour === 23 && w.minute === 59 },
  {
    expression: '5,45 0-3,22,23 * * *',
    fixed: true,
    matches: (w) => (w.minute === 5 || w.minute === 45) && (w.hour < 4 || w.hour > 21),
  },
  {
    expression: '15 0-22/2 * * sun,fri',
    fixed: true,
    matches: (w) => w.minute === 15 && w.hour % 2 === 0 && w.hour < 23 && w.weekday % 5 === 0,
  },
  {
    expression: '0 3 1 * 0',
    fixed: true,
    matches: (w) => w.hour === 3 && w.minute === 0 && (w.day === 1 || w.weekday === 0),
  },
  { expression: '*/15 * * * *', fixed: false, matches: (w) => w.minute % 15 === 0 },
  { expression: '0 * * mar-nov *', fixed: false, matches: (w) => w.minute === 0 && w.month >= 3 && w.month <= 11 },
  { expression: '30 */2 * * *', fixed: false, matches: (w) => w.minute === 30 && w.hour % 2 === 0 },
  { expression: '* 1 * * 0#1', fixed: false, matches: (w) => w.hour === 1 && w.weekday === 0 && w.day <= 7 },
];

const FIRST_YEAR = 2024;
const LAST_YEAR = 2037;
const MINUTE = 60_000;
const DAY = 86_400_000;
const QUARTER = 15;

class WallClock {
  readonly #format: Intl.DateTimeFormat;

  constructor(zone: string) {
    const two = '2-digit';
    this.#format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: two,
      day: two,
      hour: two,
      minute: two,
    });
  }

  /** Minutes since 1970-01-01T00:00 of the wall clock at an instant, off a text such as "03/29/2026, 03:00". */
  minuteAt(instant: number): number {
    const text = this.#format.format(instant);
    const [month, day, year, hour, minute] = [
      text.slice(0, 2),
      text.slice(3, 5),
      text.slice(6, 10),
      text.slice(12, 14),
      text.slice(15, 17),
    ];
    return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)) / MINUTE;
  }

  /** The wall clock at each minute of a time range; a quarter of an hour that passes evenly is filled in. */
  minutes(from: number, until: number): number[] {
    const walls: number[] = [];
    for (let quarter = from; quarter < until; quarter += QUARTER * MINUTE) {
      const first = this.minuteAt(quarter);
      const even = this.minuteAt(quarter + (QUARTER - 1) * MINUTE) === first + QUARTER - 1;
      for (let i = 0; i < QUARTER; i++) walls.push(even ? first + i : this.minuteAt(quarter + i * MINUTE));
    }
    return walls;
  }

  /** The noons (UTC) after which the clock changes within a day. */
  daysOfChange(): number[] {
    const days: number[] = [];
    const noon = Date.UTC(FIRST_YEAR, 0, 1, 12);
    let distance = this.minuteAt(noon) - noon / MINUTE;
    for (let day = noon; day < Date.UTC(LAST_YEAR + 1, 0, 1); day += DAY) {
      const next = this.minuteAt(day + DAY) - (day + DAY) / MINUTE;
      if (next !== distance) days.push(day);
      distance = next;
    }
    return days;
  }
}

function getWall(minutes: number): Wall {
  const date = new Date(minutes * MINUTE);
  const lastDay = new Date(minutes * MINUTE + DAY).getUTCDate() === 1;
  return {
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    weekday: date.getUTCDay(),
    lastDay,
  };
}

/** The matching instants of a time range, computed literally from the rule, one list per case. */
function enumerate(from: number, walls: readonly number[]): number[][] {
  const firstIndex = new Map<number, number>();
  walls.forEach((wall, index) => firstIndex.has(wall) || firstIndex.set(wall, index));
  const found = CASES.map(() => new Set<number>());
  walls.forEach((minutes, index) => {
    const wall = getWall(minutes);
    CASES.forEach(({ fixed, matches }, i) => {
      if (matches(wall) && (!fixed || firstIndex.get(minutes) === index)) found[i]!.add(index);
    });
  });
  for (let missing = walls[0]!; missing < walls.at(-1)!; missing++) {
    if (firstIndex.has(missing)) continue;
    const wall = getWall(missing);
    const afterGap = walls.findIndex((minutes) => minutes > missing);
    CASES.forEach(({ fixed, matches }, i) => fixed && matches(wall) && found[i]!.add(afterGap));
  }
  return found.map((indexes) => [...indexes].sort((a, b) => a - b).map((index) => from + index * MINUTE));
}

/** Start instants that are not runs themselves, so that some fall in the second pass of an overlap. */
function startsIn(from: number, until: number): number[] {
  return Array.from({ length: Math.min(60, (until - from) / (53 * MINUTE)) }, (_, i) => from + i * 53 * MINUTE + 1);
}

function compare(zone: string, clock: WallClock, from: number, until: number): string[] {
  const expected = enumerate(from, clock.minutes(from, until));
  return CASES.flatMap(({ expression }, i) => {
    const found: number[] = [];
    let at = nextRun(expression, zone, new Date(from - 1));
    for (; at && at.getTime() < until; at = nextRun(expression, zone, at)) found.push(at.getTime());
    const missed = startsIn(from, until).filter((start) => {
      const first = expected[i]!.find((instant) => instant > start);
      return first !== undefined && nextRun(expression, zone, new Date(start))?.getTime() !== first;
    });
    return found.join() === expected[i]!.join() && missed.length === 0
      ? []
      : [`${expression} in ${zone} from ${new Date(from).toISOString()}`];
  });
}

// Contract: readme-decision-6, schedules-6.1
test('in every IANA zone, 2024 to 2037, schedules run when an enumeration of every minute around each clock change says', async (t) => {
  t.timeout(300_000);
  const zones = Intl.supportedValuesOf('timeZone');
  const wrong: string[] = [];
  let changes = 0;
  for (const [index, zone] of zones.entries()) {
    // The test runner hears from this file between zones only.
    await setImmediate();
    const clock = new WallClock(zone);
    const days = clock.daysOfChange();
    changes += days.length;
    // A few other days in addition to the days of change: different ones for each zone, including ends of months.
    const others = Array.from({ length: 4 }, (_, i) =>
      Date.UTC(FIRST_YEAR + ((index + 4 * i) % 14), (index + 5 * i) % 12, ((index * 7 + i) % 31) + 1, 12),
    );
    for (const noon of [...days, ...others]) wrong.push(...compare(zone, clock, noon - DAY / 2, noon + (3 * DAY) / 2));
  }
  t.log(`${zones.length} zones, ${changes} changes of the clock`);
  t.true(zones.length > 400);
  t.true(changes > 3000);
  t.deepEqual(wrong.slice(0, 10), []);
});

test('a whole year minute by minute agrees in zones with odd changes', async (t) => {
  t.timeout(120_000);
  const zones = [
    'Australia/Lord_Howe',
    'Africa/Casablanca',
    'America/Nuuk',
    'Antarctica/Troll',
    'Pacific/Chatham',
    'Asia/Gaza',
  ];
  for (const zone of zones) {
    await setImmediate();
    const from = Date.UTC(2026, 0, 1);
    t.deepEqual(compare(zone, new WallClock(zone), from, Date.UTC(2027, 0, 1)), []);
  }
});

test('alias names run like the zones they stand for', (t) => {
  const pairs = {
    'US/Pacific': 'America/Los_Angeles',
    'Asia/Kolkata': 'Asia/Calcutta',
    'Eastern Time (US & Canada)': 'America/New_York',
    Berlin: 'Europe/Berlin',
  };
  for (const [alias, zone] of Object.entries(pairs)) {
    let at = new Date('2026-01-01T00:00:00Z');
    for (let i = 0; i < 400; i++) {
      const next = nextRun('30 1,2 * * *', zone, at)!;
      t.deepEqual(nextRun('30 1,2 * * *', alias, at), next);
      at = next;
    }
  }
});

test('zones without changes of the clock keep the distances of UTC', (t) => {
  const hours = { 'Asia/Tokyo': 9, 'Etc/GMT+5': -5, 'America/Phoenix': -7, 'Asia/Dubai': 4, 'Africa/Nairobi': 3 };
  for (const [zone, offset] of Object.entries(hours)) {
    for (const expression of ['0 0 * * *', '*/20 * * * *', '30 23 L * *', '0 12 29 2 *', '15 6 * * 1#1,5L']) {
      let at = new Date('2026-01-01T00:00:00Z');
      for (let i = 0; i < 50; i++) {
        const inUtc = nextRun(expression, 'UTC', new Date(at.getTime() + offset * 3_600_000))!;
        at = nextRun(expression, zone, at)!;
        t.is(at.getTime() + offset * 3_600_000, inUtc.getTime(), `${expression} in ${zone}`);
      }
    }
  }
});
