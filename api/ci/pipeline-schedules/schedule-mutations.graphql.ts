import type { ScheduleRecord } from '../../../shared/ci/pipeline-schedules/pipeline-schedule.entity.js';
import { Field, ID, InputType, Resolver } from 'type-graphql';
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
import { MutationInput, mutationsOf } from '../../core/graphql/mutations.js';
import type { GraphqlRequest } from '../../core/graphql/request.js';
import { withoutNulls } from '../../core/graphql/params.js';
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

/** What identifies a schedule. */
@InputType()
abstract class NamesSchedule extends MutationInput {
  @Field(() => CiPipelineScheduleID, { description: 'Global ID of the schedule.' })
  id!: GlobalId;
}

@InputType('PipelineScheduleUpdateInput', { description: 'Attributes of the pipeline schedule to update.' })
class UpdateInput extends NamesSchedule {
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

/** The input of a mutation that only names a schedule; each has a type of its own, as in the public API. */
function namingInput(name: string) {
  @InputType(name, { description: 'Input that identifies a pipeline schedule.' })
  class NamingInput extends NamesSchedule {}
  return NamingInput;
}

const scheduleMutation = mutationsOf({
  description: 'Payload of a mutation of a pipeline schedule.',
  fields: {
    pipelineSchedule: { type: () => PipelineScheduleType, description: 'Pipeline schedule after the mutation.' },
  },
  present: (record: ScheduleRecord, request) => ({ pipelineSchedule: new PipelineScheduleType(record, request) }),
});
const deletingMutation = mutationsOf({
  description: 'Payload of the mutation that deletes a pipeline schedule.',
});

/** The input under the names of the operations' parameters; null counts as absent. */
function getParams(input: CreateInput | UpdateInput): Record<string, unknown> {
  const { description, cron, ref, cronTimezone: cron_timezone, active } = input;
  const settings = settingInputs(scheduleSettings, input);
  const inputs = input.inputs?.map((each) => ({ ...each }));
  const variables = input.variables?.map(({ id, variableType, ...rest }) => ({
    ...rest,
    ...(id ? { id: id.id } : {}),
    variable_type: variableType,
  }));
  return withoutNulls({ description, cron, ref, cron_timezone, active, ...settings, inputs, variables });
}

const getSchedule =
  ({ id }: NamesSchedule) =>
  (ctx: GraphqlRequest['ctx']) =>
    findScheduleById(ctx, id.id);

@Resolver()
export class PipelineScheduleMutations {
  @scheduleMutation(CreateInput, { description: 'Creates a pipeline schedule owned by the caller.' })
  pipelineScheduleCreate(input: CreateInput, request: GraphqlRequest): Promise<ScheduleRecord> {
    const find = () => projectOfPath(request, input.projectPath);
    return invoke(request.ctx, createScheduleWithVariables, getParams(input), find);
  }

  @scheduleMutation(UpdateInput, {
    description: 'Updates a pipeline schedule.',
    unchanged: (input, { ctx }) => getSchedule(input)(ctx),
  })
  pipelineScheduleUpdate(input: UpdateInput, { ctx }: GraphqlRequest): Promise<ScheduleRecord> {
    return invoke(ctx, updateScheduleWithVariables, getParams(input), getSchedule(input));
  }

  @deletingMutation(namingInput('PipelineScheduleDeleteInput'), {
    description: 'Deletes a pipeline schedule; its pipelines stay.',
  })
  async pipelineScheduleDelete(input: NamesSchedule, { ctx }: GraphqlRequest): Promise<null> {
    await invoke(ctx, deletePipelineSchedule, {}, getSchedule(input));
    return null;
  }

  @scheduleMutation(namingInput('PipelineSchedulePlayInput'), {
    description: 'Runs a pipeline schedule now, for the caller.',
  })
  async pipelineSchedulePlay(input: NamesSchedule, { ctx }: GraphqlRequest): Promise<ScheduleRecord> {
    try {
      return await invoke(ctx, playPipelineScheduleSparingly, {}, getSchedule(input));
    } catch (error) {
      if (!(error instanceof QueueRejectedError)) throw error;
      ctx.log.error({ err: error }, 'a schedule was not played');
      throw new Invalid('Unable to schedule a pipeline to run immediately.');
    }
  }

  @scheduleMutation(namingInput('PipelineScheduleTakeOwnershipInput'), {
    description: 'Makes the caller the owner of a pipeline schedule.',
  })
  pipelineScheduleTakeOwnership(input: NamesSchedule, { ctx }: GraphqlRequest): Promise<ScheduleRecord> {
    return invoke(ctx, takeOwnershipOfPipelineSchedule, {}, getSchedule(input));
  }
}
