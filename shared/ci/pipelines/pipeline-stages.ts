import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import type { Job } from './job.entity.js';
import { getPipelineStatus } from './pipeline-progress.js';

/** The jobs of a pipeline that have a stage in common. */
export interface PipelineStage {
  /** Id of its first job: a stage has no row of its own. */
  id: number;
  name: string;
  status: string;
}

/** Jobs of a stage in the same state, counted together. */
type Counted = Pick<Job, 'pipeline_id' | 'stage' | 'status' | 'allow_failure' | 'retried'> & { first_id: number };

const STATE = ['j.pipeline_id', 'j.stage', 'j.status', 'j.allow_failure', 'j.retried'] as const;

const countJobs = prepareQuery((db: Kysely<CiDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('jobs as j')
    .select(STATE)
    .select(({ fn }) => fn.min('j.id').as('first_id'))
    .where('j.pipeline_id', '=', anyOf(ids, 'bigint'))
    .groupBy(STATE)
    .orderBy(({ fn }) => fn.min('j.id')),
);

/** The stages of many pipelines in the order in which they were first reported, by pipeline. */
export async function loadStages(ctx: Context, pipelineIds: readonly number[]): Promise<Map<number, PipelineStage[]>> {
  const counted = await countJobs(ctx, { ids: pipelineIds });
  const pipelines = Map.groupBy(counted, (jobs) => jobs.pipeline_id);
  return new Map([...pipelines].map(([id, ofPipeline]) => [id, stagesAmong(ofPipeline)]));
}

function stagesAmong(counted: readonly Counted[]): PipelineStage[] {
  return [...Map.groupBy(counted, (jobs) => jobs.stage)].map(([name, ofStage]) => ({
    id: (ofStage[0] as Counted).first_id,
    name,
    // Each retried job has been replaced by a newer one.
    status: getPipelineStatus(ofStage.filter((jobs) => !jobs.retried)) ?? 'created',
  }));
}
