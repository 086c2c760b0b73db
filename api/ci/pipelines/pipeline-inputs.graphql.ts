import { Args, Ctx, Extensions, Field, FieldResolver, ObjectType, Resolver, Root } from 'type-graphql';
import { showSecret } from '../../../shared/core/bytes/answer-bytes.js';
import { pipelinePolicy } from '../../../shared/ci/pipelines/pipeline.policy.js';
import { loadScheduleOwners } from '../../../shared/ci/pipelines/pipeline.finder.js';
import { loadPipelineInputs } from '../../../shared/ci/pipelines/start-values.js';
import { connectionOfRecords, connectionType, PageArgs } from '../../core/graphql/connections.js';
import { SHORT } from '../../core/graphql/nodes.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { jsonScalar } from '../../core/graphql/scalars.js';
import { PipelineType } from './pipelines.graphql.js';

export const CiInputsValue = jsonScalar(
  'CiInputsValue',
  'Value of an input: text, number, boolean or list.',
  (value) => ['string', 'number', 'boolean'].includes(typeof value) || Array.isArray(value),
);

@ObjectType('CiInputsField', {
  description: 'Input of a pipeline, or of the pipelines of a schedule.',
  simpleResolvers: true,
})
export class CiInputType {
  @Field(() => String, { description: 'Name of the input.' })
  readonly name: string;

  @Field(() => CiInputsValue, { nullable: true, description: 'Value of the input, with its JSON type.' })
  readonly value: unknown;

  constructor(name: string, value: unknown) {
    this.name = name;
    this.value = showSecret(value);
  }
}

export const InputConnection = connectionType(CiInputType, 'CiInputsField');

@Resolver(() => PipelineType)
export class InputsOfPipelineResolver {
  @FieldResolver(() => InputConnection, {
    nullable: true,
    description: 'Inputs with which the pipeline was started; null for those who may not read its variables.',
  })
  @Extensions(SHORT)
  async inputs(
    @Root() { record }: PipelineType,
    @Args(() => PageArgs) args: PageArgs,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const { pipeline_schedule_id: schedule } = record;
    const schedule_owner_id = schedule ? await request.load(loadScheduleOwners, schedule) : null;
    if (!pipelinePolicy.read_pipeline_variable(request.ctx.caller, { ...record, schedule_owner_id })) return null;
    return connectionOfRecords(
      request,
      (await request.load(loadPipelineInputs, record.id)) ?? [],
      args,
      ({ name }) => name,
      ({ name, value }) => new CiInputType(name, value),
    );
  }
}
