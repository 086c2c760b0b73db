import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/** A worker that was not seen for so long does not work any more, whatever its session says. */
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
  ctx.query<QueueWorkerRecord>(sql`
    select w.id as "id", w.hostname as "hostname", w.pid as "pid", w.tag as "tag", w.version as "version",
           w.queues as "queues", w.concurrency as "concurrency", w.busy as "busy", w.started_at as "started_at",
           w.last_seen_at as "last_seen_at",
           w.lost_at is not null or w.last_seen_at < now() - make_interval(secs => ${STALE_SECONDS}) as "stale"
      from queue_workers w order by w.started_at, w.id`);
