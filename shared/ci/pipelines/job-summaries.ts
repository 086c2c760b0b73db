import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';

export interface JobSummary {
  /** A job failed or was canceled and has not been replaced. */
  retryable: boolean;
  /** A job failed that may fail. */
  warnings: boolean;
}

const findJobSummaries = prepareQuery((db: Kysely<CiDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('jobs as j')
    .select((eb) => {
      const failed = eb('j.status', '=', constant('failed'));
      const mayFail = eb.and([eb.ref('j.allow_failure'), failed]);
      return [
        'j.pipeline_id',
        eb.fn<boolean>('bool_or', [eb('j.status', 'in', [constant('failed'), constant('canceled')])]).as('retryable'),
        eb.fn<boolean>('bool_or', [mayFail]).as('warnings'),
      ];
    })
    .where('j.pipeline_id', '=', anyOf(ids, 'bigint'))
    .where('j.retried', '=', constant(false))
    .groupBy('j.pipeline_id'),
);

/** Summarizes the jobs of many pipelines, by pipeline; pipelines without jobs are omitted. */
export async function summarizeJobs(ctx: Context, pipelineIds: readonly number[]): Promise<Map<number, JobSummary>> {
  const rows = await findJobSummaries(ctx, { ids: pipelineIds });
  return new Map(rows.map((row) => [row.pipeline_id, row]));
}
