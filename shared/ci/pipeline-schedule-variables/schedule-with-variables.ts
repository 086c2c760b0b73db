import { boolean, object, integer, list, optional, oneOf, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { pipelineSchedule } from '../pipeline-schedules/pipeline-schedule.finder.js';
import { createPipelineSchedule, updatePipelineSchedule } from '../pipeline-schedules/edit-pipeline-schedule.js';
import { pipelineSchedulePolicy } from '../pipeline-schedules/pipeline-schedule.policy.js';
import { changeVariables, VARIABLE_TYPES } from '../pipeline-schedules/schedule-variable-list.js';

/** GraphQL names variables by their ids; REST by their keys. */
const variables = optional(
  list(
    object({
      id: integer().optional().describe('ID of the variable to edit or remove.'),
      key: text()
        .describe('Key of the variable.')
        .meta({ examples: ['STAGE'] }),
      value: text()
        .describe('Value of the variable.')
        .meta({ examples: ['production'] }),
      variable_type: oneOf(VARIABLE_TYPES).describe(
        'Type of the variable: a variable, or a file that holds the value.',
      ),
      destroy: optional(boolean()).describe('If `true`, removes the variable.'),
    }),
  ),
).describe('Variables of the pipelines.');

/** Create a schedule together with its variables. */
export const createScheduleWithVariables = operation({
  name: 'createScheduleWithVariables',
  summary: 'Create a pipeline schedule with its variables',
  resource: project,
  can: can(projectPolicy, 'create_pipeline_schedule'),
  kind: 'write',
  params: { ...createPipelineSchedule.otherParams.shape, variables },
  async run(ctx, found, { variables: changes, ...input }) {
    const schedule = await createPipelineSchedule.run(ctx, found, input);
    await changeVariables(ctx, schedule, changes ?? []);
    return schedule;
  },
});

/** Edit a schedule together with its variables. */
export const updateScheduleWithVariables = operation({
  name: 'updateScheduleWithVariables',
  summary: 'Edit a pipeline schedule with its variables',
  resource: pipelineSchedule,
  can: can(pipelineSchedulePolicy, 'update_pipeline_schedule'),
  kind: 'write',
  params: { ...updatePipelineSchedule.otherParams.shape, variables },
  async run(ctx, found, { variables: changes, ...input }) {
    const schedule = await updatePipelineSchedule.run(ctx, found, input);
    await changeVariables(ctx, schedule, changes ?? []);
    return schedule;
  },
});
