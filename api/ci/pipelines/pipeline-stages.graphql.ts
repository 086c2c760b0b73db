import { Args, Ctx, Extensions, Field, FieldResolver, ID, ObjectType, Resolver, Root } from 'type-graphql';
import { detailedStatus } from '../../../shared/ci/pipelines/detailed-status.js';
import { stagesOf } from '../../../shared/ci/pipelines/pipeline-stages.js';
import type { PipelineStage } from '../../../shared/ci/pipelines/pipeline-stages.js';
import { connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { globalId } from '../../core/graphql/global-ids.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { DetailedStatusType } from './detailed-status.graphql.js';
import { PipelineType } from './pipelines.graphql.js';

@ObjectType('CiStage', { description: 'Stage of a pipeline: jobs that run together.' })
class CiStageType {
  constructor(
    private readonly stage: PipelineStage,
    private readonly pipelinePath: string,
  ) {}

  @Field(() => ID, { description: 'Global ID of the stage.' })
  get id(): string {
    return globalId('Ci::Stage', this.stage.id);
  }

  @Field(() => String, { nullable: true, description: 'Name of the stage.' })
  get name(): string {
    return this.stage.name;
  }

  @Field(() => String, { nullable: true, description: 'Status of the stage.' })
  get status(): string {
    return this.stage.status;
  }

  @Field(() => DetailedStatusType, { nullable: true, description: 'Detailed status of the stage.' })
  get detailedStatus(): DetailedStatusType {
    const { id, name, status } = this.stage;
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
      (await request.load(stagesOf, pipeline.record.id)) ?? [],
      args,
      ({ id }) => id,
      (stage) => new CiStageType(stage, pipeline.path),
    );
  }
}
