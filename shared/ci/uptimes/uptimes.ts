import type { Kysely } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { cast, constant } from '../../core/database/expressions.js';
import type { Queryable } from '../../core/database/database.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';

/** Where no API process has noted for so long that it is there, none was. */
const OUTAGE_MS = 30_000;
/** In which a process notes it once at least; the first time it may have been away since the last note. */
const HEARD_MS = 20_000;
/** After an outage each time begins anew, but those that are longer than this only go on. */
const RECOVERY_MS = 3_600_000;
/** Time ranges that are kept: what was before them counts as an outage. */
const RETAINED = 200;
/** Before anything was heard. */
const NEVER = new Date(0);

const renewNewest = prepareQuery((db: Kysely<CiDatabase>, { now, since }: Placeholders<{ now: Date; since: Date }>) =>
  db
    .updateTable('instance_uptimes as u')
    .set((eb) => ({ noted_at: eb.fn<Date>('greatest', ['u.noted_at', cast(now, 'timestamptz')]) }))
    .where('u.noted_at', '>=', cast(since, 'timestamptz'))
    .where('u.id', '=', (eb) =>
      eb.selectFrom('instance_uptimes as last').select('last.id').orderBy('last.noted_at', 'desc').limit(constant(1)),
    )
    .returning('u.id'),
);

/** Two processes that do so at once make two time ranges, which count once. */
const begin = prepareQuery((db: Kysely<CiDatabase>, { now }: Placeholders<{ now: Date }>) =>
  db.insertInto('instance_uptimes').values({ started_at: now, noted_at: now }).returning('id'),
);

const removeOld = prepareQuery((db: Kysely<CiDatabase>) =>
  db
    .deleteFrom('instance_uptimes as u')
    .where('u.id', 'not in', (eb) =>
      eb.selectFrom('instance_uptimes as o').select('o.id').orderBy('o.noted_at', 'desc').limit(constant(RETAINED)),
    )
    .returning('u.id'),
);

/**
 * Notes that an API process is there now.
 * @param isFirst of this process: it begins a new time range unless another process was there just now
 */
export async function noteUptime(db: Queryable, now: Date, isFirst = false): Promise<void> {
  const renewed = await renewNewest(db, { now, since: new Date(now.getTime() - (isFirst ? HEARD_MS : OUTAGE_MS)) });
  if (renewed.length > 0) return;
  await begin(db, { now });
  await removeOld(db, {});
}

const listUptimes = prepareQuery((db: Kysely<CiDatabase>) =>
  db
    .selectFrom('instance_uptimes as u')
    .select(['u.started_at', 'u.noted_at'])
    .orderBy('u.noted_at', 'desc')
    .limit(constant(RETAINED)),
);

interface TimeRange {
  start: number;
  end: number;
}

/** Time ranges without overlaps, the newest first; those with no more than so many milliseconds between them are one. */
function joinRanges(ranges: readonly TimeRange[], gapMs: number): TimeRange[] {
  const joined: TimeRange[] = [];
  for (const range of ranges) {
    const last = joined.at(-1);
    if (last && range.end + gapMs >= last.start) last.start = Math.min(last.start, range.start);
    else joined.push({ ...range });
  }
  return joined;
}

/** When API processes were there, as it is known at one moment. Whoever was not heard meanwhile was not silent. */
export class Uptimes {
  /** For limits that are shorter than an outage: a restart may be longer than they are. */
  readonly #short: TimeRange[];
  /** For all others: a restart is no outage. */
  readonly #long: TimeRange[];
  readonly #isUp: boolean;

  constructor(
    readonly now: Date,
    rows: readonly { started_at: Date; noted_at: Date }[],
  ) {
    const ranges = rows.map((row) => ({ start: row.started_at.getTime(), end: row.noted_at.getTime() }));
    const [newest] = ranges;
    this.#isUp = newest !== undefined && now.getTime() - newest.end < OUTAGE_MS;
    if (newest && this.#isUp) newest.end = now.getTime();
    this.#short = joinRanges(ranges, 0);
    this.#long = joinRanges(ranges, OUTAGE_MS);
  }

  #rangesFor(seconds: number): readonly TimeRange[] {
    return seconds * 1000 < OUTAGE_MS ? this.#short : this.#long;
  }

  /**
   * The time since which an API process was there for so many seconds: what was heard of last by then is silent for as
   * long. After an outage nothing is, until the service was there as long again, or for an hour.
   */
  before(seconds: number): Date {
    const ranges = this.#rangesFor(seconds);
    const [newest] = ranges;
    let left = seconds * 1000;
    if (!newest || !this.#isUp || newest.end - newest.start < Math.min(left, RECOVERY_MS)) return NEVER;
    for (const { start, end } of ranges) {
      if (end - start >= left) return new Date(end - left);
      left -= end - start;
    }
    return NEVER;
  }

  /** When to look again whether something is silent for so many seconds that was heard of then. */
  nextAt(heardAt: Date, seconds: number): Date {
    const [newest] = this.#rangesFor(seconds);
    const from = newest && this.#isUp ? Math.max(heardAt.getTime(), newest.start) : this.now.getTime();
    const at = new Date(from + seconds * 1000);
    if (at > this.now || heardAt <= this.before(seconds)) return at;
    return new Date(this.now.getTime() + OUTAGE_MS);
  }
}

/** Loads when API processes were there. */
export const loadUptimes = async (ctx: Context<Caller>): Promise<Uptimes> =>
  new Uptimes(ctx.clock.now(), await listUptimes(ctx, {}));
