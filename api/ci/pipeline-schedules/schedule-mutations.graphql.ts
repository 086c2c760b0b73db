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

@InputType('PipelineScheduleVariableInput', { description: 'A variable to add, edit or remove.' })
class VariableInput {
  @Field(() => CiPipelineScheduleVariableID, {
    nullable: true,
    description: 'The variable to edit or remove; none adds one.',
  })
  id?: GlobalId | null;

  @Field(() => String, { description: 'Name: letters, digits and underscores.' })
  key!: string;

  @Field(() => String, { description: 'Value.' })
  value!: string;

  @Field(() => CiVariableType, { description: 'How it reaches a job.' })
  variableType!: string;

  @Field(() => Boolean, { nullable: true, description: 'Remove the variable of that id.' })
  destroy?: boolean | null;
}

@InputType('CiInputsInput', { description: 'An input to set or remove.' })
class CiInputsInput {
  @Field(() => String, { description: 'Name.' })
  name!: string;

  @Field(() => CiInputsValue, { nullable: true, description: 'Value.' })
  value?: unknown;

  @Field(() => Boolean, { nullable: true, description: 'Remove the input of that name.' })
  destroy?: boolean | null;
}

@InputType('PipelineScheduleCreateInput', { description: 'A schedule to create.' })
class CreateInput extends MutationInput {
  @Field(() => ID, { description: 'Full path of its project.' })
  projectPath!: string;

  @Field(() => String, { description: 'What it is for.' })
  description!: string;

  @Field(() => String, { description: 'When it fires: a cron expression of five fields.' })
  cron!: string;

  @Field(() => String, { description: 'Branch or tag, short or full.' })
  ref!: string;

  @Field(() => String, { nullable: true, description: 'Time zone of the cron expression; UTC unless given.' })
  cronTimezone?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it fires; yes unless given.' })
  active?: boolean | null;

  @Field(() => [VariableInput], { nullable: true, description: 'Variables of its pipelines.' })
  variables?: VariableInput[] | null;

  @Field(() => [CiInputsInput], { nullable: true, description: 'Inputs of its pipelines.' })
  inputs?: CiInputsInput[] | null;
}

@InputType('PipelineScheduleUpdateInput', { description: 'What to change of a schedule.' })
class UpdateInput extends MutationInput {
  @Field(() => CiPipelineScheduleID, { description: 'The schedule.' })
  id!: GlobalId;

  @Field(() => String, { nullable: true, description: 'What it is for.' })
  description?: string | null;

  @Field(() => String, { nullable: true, description: 'When it fires: a cron expression of five fields.' })
  cron?: string | null;

  @Field(() => String, { nullable: true, description: 'Branch or tag, short or full.' })
  ref?: string | null;

  @Field(() => String, { nullable: true, description: 'Time zone of the cron expression.' })
  cronTimezone?: string | null;

  @Field(() => Boolean, { nullable: true, description: 'Whether it fires.' })
  active?: boolean | null;

  @Field(() => [VariableInput], { nullable: true, description: 'Variables to add, edit or remove.' })
  variables?: VariableInput[] | null;

  @Field(() => [CiInputsInput], { nullable: true, description: 'Inputs to set or remove.' })
  inputs?: CiInputsInput[] | null;
}

for (const input of [CreateInput, UpdateInput]) declareSettingInputs(input, scheduleSettings, scheduleSettingType);

/** The input of the mutations that only name a schedule; each has a type of its own, as in the public API. */
function namingInput(name: string) {
  @InputType(name, { description: 'Names a schedule.' })
  class NamingInput extends MutationInput {
    @Field(() => CiPipelineScheduleID, { description: 'The schedule.' })
    id!: GlobalId;
  }
  return NamingInput;
}

interface NamesSchedule extends MutationInput {
  id: GlobalId;
}

function schedulePayload(name: string) {
  @ObjectType(name, { description: 'What became of the schedule.', simpleResolvers: true })
  class SchedulePayload extends MutationPayload {
    @Field(() => PipelineScheduleType, { nullable: true, description: 'The schedule as it is now.' })
    pipelineSchedule?: PipelineScheduleType | null;
  }
  return SchedulePayload;
}

@ObjectType('PipelineScheduleDeletePayload', {
  description: 'Whether the schedule was deleted.',
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

/** The input by the names of the operations' parameters; null is as good as not given. */
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
  @Mutation(() => CreatePayload, { nullable: true, description: 'Creates a pipeline schedule, owned by the caller.' })
  pipelineScheduleCreate(
    @Arg('input', () => CreateInput, { description: 'The schedule.' }) input: CreateInput,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    const find = () => projectOfPath(request, input.projectPath);
    return mutate(input, async () =>
      payload(await invoke(request.ctx, createScheduleWithVariables, paramsOf(input), find), request),
    );
  }

  @Mutation(() => UpdatePayload, { nullable: true, description: 'Changes a pipeline schedule.' })
  pipelineScheduleUpdate(
    @Arg('input', () => UpdateInput, { description: 'What to change.' }) input: UpdateInput,
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
    @Arg('input', () => DeleteInput, { description: 'The schedule.' }) input: NamesSchedule,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () => {
      await invoke(request.ctx, deletePipelineSchedule, {}, scheduleOf(input));
      return {};
    });
  }

  @Mutation(() => PlayPayload, { nullable: true, description: 'Runs a pipeline schedule now, for the caller.' })
  pipelineSchedulePlay(
    @Arg('input', () => PlayInput, { description: 'The schedule.' }) input: NamesSchedule,
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
    @Arg('input', () => TakeOwnershipInput, { description: 'The schedule.' }) input: NamesSchedule,
    @Ctx() request: GraphqlRequest,
  ): Promise<unknown> {
    return mutate(input, async () =>
      payload(await invoke(request.ctx, takeOwnershipOfPipelineSchedule, {}, scheduleOf(input)), request),
    );
  }
}
