import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import { ALIVE_STATUSES } from './pipeline-progress.js';

/** What callers ask of a pipeline's state, beyond its name (delivery-resources.md section 3). */
const ACTIVE = ['waiting_for_resource', 'preparing', 'waiting_for_callback', 'pending', 'running'];

/** Somebody works on it, or will soon. */
export const isActive = (status: string) => ACTIVE.includes(status);
/** Nothing more happens to it by itself. */
export const isComplete = (status: string) => !ALIVE_STATUSES.includes(status);
/** There is something to cancel. */
export const isCancelable = (status: string) => ALIVE_STATUSES.includes(status) && status !== 'canceling';
/** Without jobs its own state says whether it can be tried again. */
export const isRetryableAlone = (status: string) => status === 'failed' || status === 'canceled';

export interface JobFacts {
  /** A job failed or was canceled, and no other took its place. */
  retryable: boolean;
  /** A job failed that may fail. */
  warnings: boolean;
}

/** What the jobs of many pipelines say, for those that have any, by pipeline. */
export async function jobFactsOf(ctx: Context, pipelineIds: readonly number[]): Promise<Map<number, JobFacts>> {
  const rows = await ctx.query<JobFacts & { pipeline_id: number }>(sql`
    select j.pipeline_id as "pipeline_id", bool_or(j.status in ('failed', 'canceled')) as "retryable",
           bool_or(j.allow_failure and j.status = 'failed') as "warnings"
      from jobs j where j.pipeline_id = any(${pipelineIds}::bigint[]) and not j.retried group by j.pipeline_id`);
  return new Map(rows.map((row) => [row.pipeline_id, row]));
}
