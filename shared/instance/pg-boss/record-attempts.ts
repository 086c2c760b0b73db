import { expressionBuilder, sql } from 'kysely';
import type { Expression, ExpressionBuilder, Kysely } from 'kysely';
import type { Queryable } from '../../core/database/database.js';
import { constant, scalar, unnestedColumns } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { QueueDatabase } from './tables.js';
import type { JobError } from './job-error.js';

/** Where a batch is worked on: by which process, and in which of its slots for the queue. */
export interface WorkerSlot {
  worker_id: number;
  /** As attempts name the process: `host:4711`. */
  worker: string;
  queue: string;
  slot: number;
}

export type AttemptOutcome = 'completed' | 'failed' | 'cancelled' | 'lost';

export interface FinishedAttempt {
  job_id: string;
  attempt: number;
  started_at: Date;
  ended_at: Date;
  outcome: AttemptOutcome;
  error: JobError | null;
}

/**
 * An array of ids or numbers as a PostgreSQL literal: none of them needs quoting, which the driver would check for
 * each. The cast keeps the type of the array, because only the driver reads the text.
 */
const arrayOf = <T extends string | number>(values: readonly T[]) => `{${values.join(',')}}` as unknown as T[];

/** The columns of a batch's jobs as the driver sends them. */
const getIds = (jobs: readonly { id: string; attempt: number }[]) => ({
  ids: arrayOf(jobs.map(({ id }) => id)),
  attempts: arrayOf(jobs.map(({ attempt }) => attempt)),
});

/** The commit does not wait for the disk: a database crash loses only the latest history and counts, never a job. */
const soon = expressionBuilder<QueueDatabase>()
  .fn<{ soon: string }>('set_config', [constant('synchronous_commit'), constant('off'), constant(true)])
  .as('soon');

/** Adds new counts to the existing ones, for `on conflict` of counters. */
export const addedCounts = (
  eb: ExpressionBuilder<QueueDatabase & { excluded: QueueDatabase['queue_counters'] }, 'excluded' | 'queue_counters'>,
) => ({
  processed: eb('queue_counters.processed', '+', eb.ref('excluded.processed')),
  failed: eb('queue_counters.failed', '+', eb.ref('excluded.failed')),
});

interface Start extends WorkerSlot {
  ids: string[];
  attempts: number[];
  at: Date;
}

const writeStart = prepareQuery<QueueDatabase, Start, object>((db, start) =>
  db
    .insertInto('queue_batches')
    .columns(['worker_id', 'queue', 'slot', 'job_ids', 'attempts', 'started_at'])
    .expression((eb) =>
      eb
        .selectFrom(soon)
        .select([
          eb.cast<number>(start.worker_id, 'bigint').as('worker_id'),
          sql`${start.queue}`.as('queue'),
          eb.cast<number>(start.slot, 'integer').as('slot'),
          sql<string[]>`${start.ids}::uuid[]`.as('job_ids'),
          sql<number[]>`${start.attempts}::int[]`.as('attempts'),
          eb.cast<Date>(start.at, 'timestamptz').as('started_at'),
        ]),
    )
    .onConflict((conflict) =>
      conflict.columns(['worker_id', 'queue', 'slot']).doUpdateSet((eb) => ({
        job_ids: eb.ref('excluded.job_ids'),
        attempts: eb.ref('excluded.attempts'),
        started_at: eb.ref('excluded.started_at'),
        ended_at: null,
      })),
    ),
);

/** Writes that these jobs run, with one statement for the batch. It takes the row of the batch before it. */
export async function recordStart(
  db: Queryable,
  workerSlot: WorkerSlot,
  jobs: readonly { id: string; attempt: number }[],
  at: Date,
): Promise<void> {
  await writeStart(db, { ...workerSlot, ...getIds(jobs), at });
}

const ATTEMPT = [
  ...(['job_id', 'attempt', 'queue', 'worker', 'started_at', 'ended_at', 'outcome'] as const),
  ...(['error_class', 'message', 'stack', 'job_created_at'] as const),
];

interface End extends WorkerSlot {
  ids: string[];
  attempts: number[];
  /** How many there are, and how many of them failed. */
  count: number;
  failed: number;
  ended_at: Date | null;
}

/** Attempts as they ended, a column of each. */
interface Ends extends End {
  started: Date[];
  finished: Date[];
  outcomes: string[];
  error_classes: (string | null)[];
  messages: (string | null)[];
  stacks: (string | null)[];
}

/** The same of a batch that wholly succeeded, as most do: outcome and times once, and milliseconds since. */
interface Success extends End {
  first: Date | null;
  started: number[];
  finished: number[];
}

/** Ends a batch and counts its attempts, together with the next write. */
const ending = (db: Kysely<QueueDatabase>, end: Placeholders<End>) =>
  db
    .with(
      (cte) => cte('soon').materialized(),
      (of) => of.selectFrom(soon).select('soon.soon'),
    )
    .with('over', (of) =>
      of
        .updateTable('queue_batches as b')
        .set((eb) => ({ ended_at: eb.cast<Date>(end.ended_at, 'timestamptz') }))
        .where('b.worker_id', '=', end.worker_id)
        .where('b.queue', '=', end.queue)
        .where('b.slot', '=', end.slot),
    )
    .with('counted', (of) =>
      of
        .insertInto('queue_counters')
        .columns(['queue', 'worker_id', 'processed', 'failed'])
        .expression((eb) =>
          eb
            .selectFrom('soon')
            .select([
              sql`${end.queue}`.as('queue'),
              eb.cast<number>(end.worker_id, 'bigint').as('worker_id'),
              eb.cast<number>(end.count, 'bigint').as('processed'),
              eb.cast<number>(end.failed, 'bigint').as('failed'),
            ]),
        )
        .onConflict((conflict) => conflict.columns(['queue', 'worker_id']).doUpdateSet(addedCounts)),
    )
    .insertInto('job_attempts')
    .columns(ATTEMPT)
    .onConflict((conflict) => conflict.columns(['job_id', 'attempt']).doNothing());

interface EndRow {
  job_id: string;
  attempt: number;
  started_at: Date;
  ended_at: Date;
  outcome: string;
  error_class: string | null;
  message: string | null;
  stack: string | null;
}

const writeEnd = prepareQuery<QueueDatabase, Ends, object>((db, end) =>
  ending(db, end).expression((eb) => {
    const rows = unnestedColumns<EndRow>({
      job_id: [end.ids, 'uuid'],
      attempt: [end.attempts, 'int'],
      started_at: [end.started, 'timestamptz'],
      ended_at: [end.finished, 'timestamptz'],
      outcome: [end.outcomes, 'text'],
      error_class: [end.error_classes, 'text'],
      message: [end.messages, 'text'],
      stack: [end.stacks, 'text'],
    });
    return eb.selectFrom(rows.as('u')).select((of) => {
      const sent = of
        .selectFrom('pgboss.job as j')
        .select('j.created_on')
        .where('j.name', '=', end.queue)
        .whereRef('j.id', '=', 'u.job_id');
      return [
        'u.job_id',
        'u.attempt',
        of.cast<string>(end.queue, 'text').as('queue'),
        of.cast<string>(end.worker, 'text').as('worker'),
        'u.started_at',
        'u.ended_at',
        'u.outcome',
        'u.error_class',
        'u.message',
        'u.stack',
        of.case().when('u.error_class', 'is not', null).then(scalar(sent)).end().as('job_created_at'),
      ];
    });
  }),
);

const writeSuccess = prepareQuery<QueueDatabase, Success, object>((db, end) =>
  ending(db, end).expression((eb) => {
    const rows = unnestedColumns<{ job_id: string; attempt: number; started: number; finished: number }>({
      job_id: [end.ids, 'uuid'],
      attempt: [end.attempts, 'int'],
      started: [end.started, 'int'],
      finished: [end.finished, 'int'],
    });
    return eb.selectFrom(rows.as('u')).select((of) => {
      const since = (milliseconds: Expression<number>) =>
        sql<Date>`${end.first}::timestamptz + ${milliseconds} * interval '1 ms'`;
      const none = of.lit(null);
      return [
        'u.job_id',
        'u.attempt',
        of.cast<string>(end.queue, 'text').as('queue'),
        of.cast<string>(end.worker, 'text').as('worker'),
        since(of.ref('u.started')).as('started_at'),
        since(of.ref('u.finished')).as('ended_at'),
        constant('completed').as('outcome'),
        none.as('error_class'),
        none.as('message'),
        none.as('stack'),
        of.cast<Date | null>(none, 'timestamptz').as('job_created_at'),
      ];
    });
  }),
);

/**
 * Writes how the attempts of a batch ended, counts them and marks the batch as ended, with one statement. The row of
 * the batch stays until the next one takes it: the queue settles the jobs only after this, and should the process die
 * in between, others find there what it had in hand.
 */
export async function recordEnd(
  db: Queryable,
  workerSlot: WorkerSlot,
  finishedAttempts: readonly FinishedAttempt[],
): Promise<void> {
  const failed = finishedAttempts.filter(({ outcome }) => outcome === 'failed' || outcome === 'lost').length;
  const { ids, attempts } = getIds(finishedAttempts.map(({ job_id: id, attempt }) => ({ id, attempt })));
  const end = {
    ...workerSlot,
    ids,
    attempts,
    count: finishedAttempts.length,
    failed,
    ended_at: finishedAttempts.at(-1)?.ended_at ?? null,
  };
  if (!finishedAttempts.every(({ outcome }) => outcome === 'completed')) {
    await writeEnd(db, {
      ...end,
      started: finishedAttempts.map((one) => one.started_at),
      finished: finishedAttempts.map((one) => one.ended_at),
      outcomes: finishedAttempts.map((one) => one.outcome),
      error_classes: finishedAttempts.map(({ error }) => error?.error_class ?? null),
      messages: finishedAttempts.map(({ error }) => error?.message ?? null),
      stacks: finishedAttempts.map(({ error }) => error?.stack ?? null),
    });
    return;
  }
  const first = finishedAttempts[0]?.started_at ?? null;
  const sinceFirst = (instant: Date) => Number(instant) - Number(first);
  await writeSuccess(db, {
    ...end,
    first,
    started: arrayOf(finishedAttempts.map((one) => sinceFirst(one.started_at))),
    finished: arrayOf(finishedAttempts.map((one) => sinceFirst(one.ended_at))),
  });
}
