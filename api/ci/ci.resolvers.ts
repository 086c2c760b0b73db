import type { ResolverClass } from '../core/graphql/requests/engine.js';
import { PipelineSchedulesOfProjectResolver } from './pipeline-schedules/pipeline-schedules.graphql.js';
import { PipelineScheduleMutations } from './pipeline-schedules/schedule-mutations.graphql.js';
import { InputsOfPipelineResolver } from './pipelines/pipeline-inputs.graphql.js';
import { StagesOfPipelineResolver } from './pipelines/pipeline-stages.graphql.js';
import { PipelinesOfProjectResolver } from './pipelines/pipelines.graphql.js';

/** What GraphQL serves of this domain. */
export const ciResolvers: readonly ResolverClass[] = [
  InputsOfPipelineResolver,
  PipelineScheduleMutations,
  PipelineSchedulesOfProjectResolver,
  PipelinesOfProjectResolver,
  StagesOfPipelineResolver,
];
