import type { Kysely } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';
import { combineStatuses } from '../job-states/combine-statuses.js';
import type { Job } from './job.entity.js';
import type { Pipeline } from './pipeline.entity.js';
import { getPipelineStatus } from './pipeline-progress.js';

/** The jobs of a pipeline that have a stage in common. */
export interface PipelineStage {
  /** Id of its first job: a stage has no row of its own. */
  id: number;
  name: string;
  status: string;
}

/** Jobs of a stage in the same state, counted together. */
type Counted = Pick<Job, 'pipeline_id' | 'stage' | 'status' | 'allow_failure' | 'retried'> &
  Pick<Pipeline, 'kind' | 'stages'> & { first_id: number };

const STATE = ['j.pipeline_id', 'j.stage', 'j.status', 'j.allow_failure', 'j.retried'] as const;

const countJobs = prepareQuery((db: Kysely<CiDatabase>, { ids }: Placeholders<{ ids: readonly number[] }>) =>
  db
    .selectFrom('jobs as j')
    .innerJoin('pipelines as pl', 'pl.id', 'j.pipeline_id')
    .select([...STATE, 'pl.kind', 'pl.stages'])
    .select(({ fn }) => fn.min('j.id').as('first_id'))
    .where('j.pipeline_id', '=', anyOf(ids, 'bigint'))
    .groupBy([...STATE, 'pl.kind', 'pl.stages'])
    .orderBy(({ fn }) => fn.min('j.id')),
);

/**
 * The stages of many pipelines, by pipeline: in the order of its configuration, what is reported last; without a
 * configuration in the order in which they were first reported.
 */
export async function loadStages(ctx: Context, pipelineIds: readonly number[]): Promise<Map<number, PipelineStage[]>> {
  const counted = await countJobs(ctx, { ids: pipelineIds });
  const pipelines = Map.groupBy(counted, (jobs) => jobs.pipeline_id);
  return new Map([...pipelines].map(([id, ofPipeline]) => [id, stagesAmong(ofPipeline)]));
}

function stagesAmong(counted: readonly Counted[]): PipelineStage[] {
  const { kind, stages: order } = counted[0] as Counted;
  const getStatus = kind === 'config' ? combineStatuses : getPipelineStatus;
  const stages = [...Map.groupBy(counted, (jobs) => jobs.stage)].map(([name, ofStage]) => ({
    id: Math.min(...ofStage.map((jobs) => jobs.first_id)),
    name,
    // Each retried job has been replaced by a newer one.
    status: getStatus(ofStage.filter((jobs) => !jobs.retried)) ?? 'created',
  }));
  if (kind === 'record') return stages;
  const position = ({ name }: PipelineStage) => (order.includes(name) ? order.indexOf(name) : order.length);
  return stages.sort((one, other) => position(one) - position(other));
}
