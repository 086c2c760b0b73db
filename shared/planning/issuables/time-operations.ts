import type { SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { optional, text } from '../../core/operations/fields.js';
import { operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import type { Rule } from '../../core/operations/policy.js';
import { MAX_SECONDS, parseDuration } from './duration.js';
import type { IssuableChange } from './issuable-changes.js';
import type { IssuableType } from './issuable-type.js';
import { insertTimelog } from './time-tracking.js';

const MAX_SUMMARY = 255;

const duration = (least: number) =>
  text()
    .refine((value) => {
      const seconds = parseDuration(value as string);
      return seconds !== null && seconds >= least && (least >= 0 || seconds !== 0);
    }, 'is invalid')
    .meta({ type: 'string', examples: ['3h30m'] });

interface Tracked {
  readonly id: number;
  readonly project_id: number;
  readonly time_estimate: number;
  readonly total_time_spent: number;
}

interface TimeColumns {
  readonly time_estimate?: number;
  readonly total_time_spent?: number;
}

interface Ability<T> {
  readonly ability: string;
  readonly rule: Rule<T>;
}

/** A kind of record with time tracking. */
interface TrackedType<T extends Tracked> {
  readonly type: IssuableType;
  /** As names of operations call it. */
  readonly noun: string;
  /** `an issue`. */
  readonly nounPhrase: string;
  readonly resource: Resource<T>;
  readonly read: Ability<T>;
  readonly write: Ability<T>;
  /** Writes the changes of a locked record and records the event. */
  readonly save: (
    ctx: SignedInContext,
    found: T,
    columns: TimeColumns,
    changes: readonly IssuableChange[],
  ) => Promise<T>;
}

/** The operations on the time of records of a kind: what it takes is for those who plan. */
export function timeOperations<T extends Tracked>({
  type,
  noun,
  nounPhrase,
  resource,
  read,
  write,
  save,
}: TrackedType<T>) {
  const tracked = { resource, can: write, kind: 'write' } as const;

  const setEstimate = (ctx: SignedInContext, found: T, seconds: number): Promise<T> =>
    seconds === found.time_estimate
      ? Promise.resolve(found)
      : save(ctx, found, { time_estimate: seconds }, [{ attribute: 'time_estimate', to: seconds }]);

  /** @throws Invalid if more time is subtracted than was spent, or the total exceeds the limit */
  async function spend(ctx: SignedInContext, found: T, seconds: number, summary: string | null): Promise<T> {
    const total = found.total_time_spent + seconds;
    if (total < 0) throw new Invalid({ base: ['Time to subtract exceeds the total time spent'] });
    if (total > MAX_SECONDS) throw new Invalid({ time_spent: ['is too much'] });
    await insertTimelog(ctx, type, found, { user_id: ctx.caller.id, seconds, summary });
    const spent_on = ctx.clock.now().toISOString().slice(0, 10);
    return save(ctx, found, { total_time_spent: total }, [{ attribute: 'time_spent', seconds, spent_on }]);
  }

  return {
    stats: operation({
      name: `get${noun}TimeStats`,
      summary: `Read the time tracking of ${nounPhrase}`,
      resource,
      can: read,
      authentication: 'open',
      kind: 'read',
      run: (_ctx, found) => Promise.resolve(found),
    }),

    estimate: operation({
      name: `estimate${noun}`,
      summary: `Set the time estimate of ${nounPhrase}`,
      ...tracked,
      params: {
        duration: duration(0).describe('Duration of the time estimate: `3h30m`, `1w 2d`; a number alone is hours.'),
      },
      run: (ctx, found, input) => setEstimate(ctx, found, parseDuration(input.duration as string) ?? 0),
    }),

    resetEstimate: operation({
      name: `reset${noun}Estimate`,
      summary: `Reset the time estimate of ${nounPhrase}`,
      ...tracked,
      run: (ctx, found) => setEstimate(ctx, found, 0),
    }),

    spend: operation({
      name: `spendTimeOn${noun}`,
      summary: `Add spent time to ${nounPhrase}`,
      ...tracked,
      params: {
        duration: duration(-MAX_SECONDS).describe(
          'Duration of the time spent; with a leading `-`, the time is subtracted.',
        ),
        summary: optional(text()).describe('Summary of what the time was spent on, in at most 255 characters.'),
      },
      run(ctx, found, input) {
        const summary = input.summary ?? null;
        if (summary !== null && [...summary].length > MAX_SUMMARY)
          throw new Invalid({ summary: [`is too long (maximum is ${MAX_SUMMARY} characters)`] });
        return spend(ctx, found, parseDuration(input.duration as string) ?? 0, summary);
      },
    }),

    resetSpent: operation({
      name: `resetTimeSpentOn${noun}`,
      summary: `Reset the spent time of ${nounPhrase}`,
      ...tracked,
      async run(ctx, found) {
        if (found.total_time_spent === 0) return found;
        const spent = { user_id: ctx.caller.id, seconds: -found.total_time_spent, summary: null };
        await insertTimelog(ctx, type, found, spent);
        const spent_on = ctx.clock.now().toISOString().slice(0, 10);
        return save(ctx, found, { total_time_spent: 0 }, [{ attribute: 'time_spent', seconds: null, spent_on }]);
      },
    }),
  };
}
