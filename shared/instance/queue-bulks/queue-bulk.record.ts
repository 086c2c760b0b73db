import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { columns } from '../../core/database/columns.js';
import type { InstanceDatabase } from '../instance.entities.js';
import type { JobAction } from '../pg-boss/act-on-jobs.js';
import type { JobFilter } from '../pg-boss/find-jobs.js';
import { QueueBulk } from './queue-bulk.entity.js';

export type BulkAction = Exclude<JobAction, 'resume'>;

/** A filter as it is stored: times as texts. */
export type StoredFilter = { readonly [K in keyof JobFilter]?: unknown };

/** An action on many jobs, and how far it has come. */
export type BulkRecord = Omit<QueueBulk, 'action' | 'filter'> & { action: BulkAction; filter: StoredFilter };

/** What became of a bulk that was done at once. */
export interface BulkResult {
  matched: number;
  affected: number;
  skipped: number;
  completed: boolean;
}

/** The requested action, completed at once or left to a job. */
export type BulkAnswer = BulkResult | { bulk_id: number };

/** @throws NotFound "404 Bulk Not Found" */
export async function findBulk(ctx: Context, id: number): Promise<BulkRecord> {
  const bulk = await ctx.em
    .getKysely<InstanceDatabase>()
    .selectFrom('queue_bulks as b')
    .select(columns(QueueBulk, 'b'))
    .where('b.id', '=', id)
    .$castTo<BulkRecord>()
    .executeTakeFirst();
  if (!bulk) throw new NotFound('Bulk');
  return bulk;
}

/** A filter in the form it was requested. */
export function getBulkFilter({ created_after: after, created_before: before, ...rest }: StoredFilter): JobFilter {
  return {
    ...(rest as JobFilter),
    ...(after === undefined ? {} : { created_after: new Date(after as string) }),
    ...(before === undefined ? {} : { created_before: new Date(before as string) }),
  };
}
