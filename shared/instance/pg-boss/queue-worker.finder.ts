import { sql } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { QueueDatabase } from './tables.js';

/** A worker not seen for this long counts as dead, whatever the state of its session. */
const STALE_SECONDS = 30;

export interface QueueWorkerRecord {
  id: number;
  hostname: string;
  pid: number;
  tag: string;
  version: string;
  queues: string[];
  concurrency: number;
  /** Jobs in hand. */
  busy: number;
  started_at: Date;
  last_seen_at: Date;
  /** Whether it is gone, or was not seen for 30 s. */
  stale: boolean;
}

/** The registered worker processes, the oldest first; those that died stay for an hour, as stale. */
export const queueWorkers = (ctx: Context): Promise<QueueWorkerRecord[]> =>
  ctx.em
    .getKysely<QueueDatabase>()
    .selectFrom('queue_workers as w')
    .select([
      ...(['w.id', 'w.hostname', 'w.pid', 'w.tag', 'w.version', 'w.queues', 'w.concurrency', 'w.busy'] as const),
      ...(['w.started_at', 'w.last_seen_at'] as const),
    ])
    .select((eb) => {
      const lately = sql<Date>`now() - make_interval(secs => ${constant(STALE_SECONDS)})`;
      const stale = eb.or([eb('w.lost_at', 'is not', null), eb('w.last_seen_at', '<', lately)]);
      return stale.$castTo<boolean>().as('stale');
    })
    .orderBy('w.started_at')
    .orderBy('w.id')
    .execute();
