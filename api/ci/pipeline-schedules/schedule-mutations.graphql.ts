import type { ScheduleRecord } from '../../../shared/ci/pipeline-schedules/pipeline-schedule.entity.js';
import { Arg, Ctx, Field, ID, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { Invalid, QueueRejectedError } from '../../../shared/core/values/errors.js';
import { invoke } from '../../../shared/core/operations/invoke.js';
import { findScheduleById } from '../../../shared/ci/pipeline-schedules/pipeline-schedule.finder.js';
import {
  deletePipelineSchedule,
  takeOwnershipOfPipelineSchedule,
} from '../../../shared/ci/pipeline-schedules/pipeline-schedule.operations.js';
import { scheduleSettings } from '../../../shared/ci/pipeline-schedules/schedule-settings.js';
import { playPipelineScheduleSparingly } from '../../../shared/ci/pipeline-schedule-runs/play-schedule.js';
import {
  createScheduleWithVariables,
  updateScheduleWithVariables,
} from '../../../shared/ci/pipeline-schedule-variables/schedule-with-variables.js';
import { globalIdScalar } from '../../core/graphql/global-ids.js';
import type { GlobalId } from '../../core/graphql/global-ids.js';
import { mutate, MutationInput, MutationPayload } from '../../core/graphql/mutations.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { declareSettingInputs, settingInputs } from '../../tenancy/containers/setting-fields.graphql.js';
import { projectOfPath } from '../../tenancy/projects/projects.graphql.js';
import { PipelineScheduleType, scheduleSettingType } from './pipeline-schedules.graphql.js';
import { CiInputsValue } from '../pipelines/pipeline-inputs.graphql.js';
import { CiVariableType } from './schedule-values.graphql.js';

const CiPipelineScheduleID = globalIdScalar('Ci::PipelineSchedule');
const CiPipelineScheduleVariableID = globalIdScalar('Ci::PipelineScheduleVariable');

@InputType('PipelineScheduleVariableInput', { description: 'Variable to add, edit or remove.' })
class VariableInput {
  @Field(() => CiPipelineScheduleVariableID, {
    nullable: true,
    description: 'Global ID of the variable to edit or remove; adds a variable if omitted.',
  })
  id?: GlobalId | null;

  @Field(() => String, { description: 'Name of the variable: letters, digits and underscores.' })
  key!: string;

  @Field(() => String, { description: 'Value of the variable.' })
  value!: string;

  @Field(() => CiVariableType, { description: 'Type of the variable.' })
  variableType!: string;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, removes the variable with the specified ID.' })
  destroy?: boolean | null;
}

@InputType('CiInputsInput', { description: 'Input of a pipeline to set or remove.' })
class CiInputsInput {
  @Field(() => String, { description: 'Name of the input.' })
  name!: string;

  @Field(() => CiInputsValue, { nullable: true, description: 'Value of the input.' })
  value?: unknown;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, removes the input with the specified name.' })
  destroy?: boolean | null;
}

@InputType('PipelineScheduleCreateInput', { description: 'Attributes of the pipeline schedule to create.' })
class CreateInput extends MutationInput {
  @Field(() => ID, { description: 'Full path of the project.' })
  projectPath!: string;

  @Field(() => String, { description: 'Description of the schedule.' })
  description!: string;

  @Field(() => String, { description: 'Cron expression of five fields that sets when the schedule runs.' })
  cron!: string;

  @Field(() => String, { description: 'Name of the branch or tag, short or full.' })
  ref!: string;

  @Field(() => String, { nullable: true, description: 'Time zone of the cron expression; defaults to UTC.' })
  cronTimezone?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, the schedule is active; defaults to `true`.' })
  active?: boolean | null;

  @Field(() => [VariableInput], { nullable: true, description: 'Variables of the pipelines of the schedule.' })
  variables?: VariableInput[] | null;

  @Field(() => [CiInputsInput], { nullable: true, description: 'Inputs of the pipelines of the schedule.' })
  inputs?: CiInputsInput[] | null;
}

@InputType('PipelineScheduleUpdateInput', { description: 'Attributes of the pipeline schedule to update.' })
class UpdateInput extends MutationInput {
  @Field(() => CiPipelineScheduleID, { description: 'Global ID of the schedule.' })
  id!: GlobalId;

  @Field(() => String, { nullable: true, description: 'Description of the schedule.' })
  description?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Cron expression of five fields that sets when the schedule runs.',
  })
  cron?: string | null;

  @Field(() => String, { nullable: true, description: 'Name of the branch or tag, short or full.' })
  ref?: string | null;

  @Field(() => String, { nullable: true, description: 'Time zone of the cron expression.' })
  cronTimezone?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'If `true`, the schedule is active.' })
  active?: boolean | null;

  @Field(() => [VariableInput], { nullable: true, description: 'Variables to add, edit or remove.' })
  variables?: VariableInput[] | null;

  @Field(() => [CiInputsInput], { nullable: true, description: 'Inputs to set or remove.' })
  inputs?: CiInputsInput[] | null;
}

for (const input of [CreateInput, UpdateInput]) declareSettingInputs(input, scheduleSettings, scheduleSettingType);

/** The input of the mutations that only name a schedule; each has a type of its own, as in the public API. */
function namingInput(name: string) {
  @InputType(name, { description: 'Input that identifies a pipeline schedule.' })
  class NamingInput extends MutationInput {
    @Field(() => CiPipelineScheduleID, { description: 'Global ID of the schedule.' })
    id!: GlobalId;
  }
  return NamingInput;
}

interface NamesSchedule extends MutationInput {
  id: GlobalId;
}

function schedulePayload(name: string) {
  @ObjectType(name, { description: 'Payload of a mutation of a pipeline schedule.', simpleResolvers: true })
  class SchedulePayload extends MutationPayload {
    @Field(() => PipelineScheduleType, { nullable: true, description: 'Pipeline schedule after the mutation.' })
    pipelineSchedule?: PipelineScheduleType | null;
  }
  return SchedulePayload;
}

@ObjectType('PipelineScheduleDeletePayload', {
  description: 'Payload of the mutation that deletes a pipeline schedule.',
  simpleResolvers: true,
})
class DeletePayload extends MutationPayload {}

const CreatePayload = schedulePayload('PipelineScheduleCreatePayload');
const UpdatePayload = schedulePayload('PipelineScheduleUpdatePayload');
const PlayPayload = schedulePayload('PipelineSchedulePlayPayload');
const TakeOwnershipPayload = schedulePayload('PipelineScheduleTakeOwnershipPayload');
const DeleteInput = namingInput('PipelineScheduleDeleteInput');
const PlayInput = namingInput('PipelineSchedulePlayInput');
const TakeOwnershipInput = namingInput('PipelineScheduleTakeOwnershipInput');

/** The input under the names of the operations' parameters; null counts as absent. */
function paramsOf(input: CreateInput | UpdateInput): Record<string, unknown> {
  const { description, cron, ref, cronTimezone: cron_timezone, active } = input;
  const settings = settingInputs(scheduleSettings, input);
  const inputs = input.inputs?.map((each) => ({ ...each }));
  const variables = input.variables?.map(({ id, variableType, ...rest }) => ({
    ...rest,
    ...(id ? { id: id.id } : {}),
    variable_type: variableType,
  }));
  const params = { description, cron, ref, cron_timezone, active, ...settings, inputs, variables };
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null && value !== undefined));
}

const scheduleOf =
  ({ id }: NamesSchedule) =>
  (ctx: GraphqlRequest['ctx']) =>
    findScheduleById(ctx, id.id);

const payload = (record: ScheduleRecord, request: GraphqlRequest) => ({
  pipelineSchedule: new PipelineScheduleType(record, request),
});

@Resolver()
export class PipelineScheduleMutations {
  @Mutation(() => CreatePayload, { nullable: true, description: 'Creates a pipeline schedule owned by the caller.' })
  pipelineScheduleCreate(
    @Arg('input', () => CreateInput, { description: 'Parameters for the mutation.' }) input: CreateInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const find = () => projectOfPath(request, input.projectPath);
    return mutate(input, async () =>
      payload(await invoke(request.ctx, createScheduleWithVariables, paramsOf(input), find), request),
    );
  }

  @Mutation(() => UpdatePayload, { nullable: true, description: 'Updates a pipeline schedule.' })
  pipelineScheduleUpdate(
    @Arg('input', () => UpdateInput, { description: 'Parameters for the mutation.' }) input: UpdateInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(
      input,
      async () =>
        payload(await invoke(request.ctx, updateScheduleWithVariables, paramsOf(input), scheduleOf(input)), request),
      async () => payload(await findScheduleById(request.ctx, input.id.id), request),
    );
  }

  @Mutation(() => DeletePayload, { nullable: true, description: 'Deletes a pipeline schedule; its pipelines stay.' })
  pipelineScheduleDelete(
    @Arg('input', () => DeleteInput, { description: 'Parameters for the mutation.' }) input: NamesSchedule,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => {
      await invoke(request.ctx, deletePipelineSchedule, {}, scheduleOf(input));
      return {};
    });
  }

  @Mutation(() => PlayPayload, { nullable: true, description: 'Runs a pipeline schedule now, for the caller.' })
  pipelineSchedulePlay(
    @Arg('input', () => PlayInput, { description: 'Parameters for the mutation.' }) input: NamesSchedule,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => {
      try {
        return payload(await invoke(request.ctx, playPipelineScheduleSparingly, {}, scheduleOf(input)), request);
      } catch (error) {
        if (!(error instanceof QueueRejectedError)) throw error;
        request.ctx.log.error({ err: error }, 'a schedule was not played');
        throw new Invalid('Unable to schedule a pipeline to run immediately.');
      }
    });
  }

  @Mutation(() => TakeOwnershipPayload, {
    nullable: true,
    description: 'Makes the caller the owner of a pipeline schedule.',
  })
  pipelineScheduleTakeOwnership(
    @Arg('input', () => TakeOwnershipInput, { description: 'Parameters for the mutation.' }) input: NamesSchedule,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () =>
      payload(await invoke(request.ctx, takeOwnershipOfPipelineSchedule, {}, scheduleOf(input)), request),
    );
  }
}
