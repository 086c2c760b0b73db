import { Args, Ctx, Extensions, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import { detailedStatus } from '../../../shared/ci/pipelines/detailed-status.js';
import { loadStages } from '../../../shared/ci/pipelines/pipeline-stages.js';
import type { PipelineStage } from '../../../shared/ci/pipelines/pipeline-stages.js';
import { connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { globalId } from '../../core/graphql/global-ids.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { RecordField } from '../../core/graphql/records.js';
import { DetailedStatusType } from './detailed-status.graphql.js';
import { PipelineType } from './pipelines.graphql.js';

@ObjectType('CiStage', { description: 'Stage of a pipeline: jobs that run together.' })
class CiStageType {
  constructor(
    readonly record: PipelineStage,
    private readonly pipelinePath: string,
  ) {}

  @Field(() => ID, { description: 'Global ID of the stage.' })
  get id(): string {
    return globalId('Ci::Stage', this.record.id);
  }

  @RecordField(() => String, { nullable: true, description: 'Name of the stage.' })
  declare readonly name: string;

  @RecordField(() => String, { nullable: true, description: 'Status of the stage.' })
  declare readonly status: string;

  @Field(() => DetailedStatusType, { nullable: true, description: 'Detailed status of the stage.' })
  get detailedStatus(): DetailedStatusType {
    const { id, name, status } = this.record;
    return new DetailedStatusType(id, detailedStatus(status, `${this.pipelinePath}#${name}`));
  }
}

const StageConnection = connectionType(CiStageType, 'CiStage');

@Resolver(() => PipelineType)
export class StagesOfPipelineResolver {
  @FieldResolver(() => StageConnection, { nullable: true, description: 'Stages of the pipeline.' })
  @Extensions(SHORT)
  async stages(
    @Root() pipeline: PipelineType,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return connectionOfRecords(
      request,
      (await request.load(loadStages, pipeline.record.id)) ?? [],
      args,
      ({ id }) => id,
      (stage) => new CiStageType(stage, pipeline.path),
    );
  }
}
