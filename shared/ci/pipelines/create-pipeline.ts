import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { countAction } from '../../core/operations/limit-actions.js';
import { can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { refHint } from '../../repositories/repositories/ref-hint.js';
import { expandRef, findRef, shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { insertPipelines } from './insert-pipelines.js';
import { findPipeline } from './pipeline.finder.js';
import { maySetPipelineVariables } from './pipeline.policy.js';
import { mayRunOnRef } from './pipeline-rights.js';
import { checkInputs, checkVariables, startParams } from './start-values.js';

const createBaseError = (text: string) => new Invalid({ base: [text] });

/** The full ref and its head. @throws Invalid "Reference not found", also if the name is both a branch and a tag */
async function requireHead(ctx: Context, found: ProjectRecord, ref: string) {
  const expansion = await expandRef(ctx, found.id, ref);
  const head = expansion === 'ambiguous' ? null : await findRef(ctx, found.id, expansion.fullName);
  if (!head) throw createBaseError('Reference not found').hinting(await refHint(ctx, found.id, ref));
  return head;
}

async function requireAllowed(ctx: Context, found: ProjectRecord, fullRef: string) {
  if (await mayRunOnRef(ctx, found, fullRef)) return;
  throw createBaseError(
    `You do not have sufficient permission to run a pipeline on '${shortRef(fullRef)}'. ` +
      'Please select a different branch or contact your administrator for assistance.',
  );
}

/** Start a pipeline for the head of a branch or tag. It waits until an executor reports (contract decision 17). */
export const createPipeline = operation({
  name: 'createPipeline',
  summary: 'Create a pipeline',
  resource: project,
  can: can(projectPolicy, 'create_pipeline'),
  kind: 'write',
  params: {
    ref: text()
      .describe('Branch or tag of the pipeline, as a short or full name.')
      .meta({ examples: ['main'] }),
    ...startParams,
  },
  async run(ctx, found, { ref, variables = [], inputs = {} }) {
    checkInputs(inputs);
    const head = await requireHead(ctx, found, ref);
    await countAction(ctx, 'pipelines_create', [found.id, head.target_sha]);
    await requireAllowed(ctx, found, head.full_name);
    if (variables.length > 0 && !maySetPipelineVariables(ctx.caller, found))
      throw createBaseError('Insufficient permissions to set pipeline variables');
    checkVariables(variables);
    const [id] = await insertPipelines(ctx, [
      {
        project_id: found.id,
        ref: head.full_name,
        sha: head.target_sha,
        source: 'api',
        user_id: ctx.caller.user.id,
        pipeline_schedule_id: null,
        variables: variables.map((variable) => ({ ...variable, raw: false })),
        inputs,
      },
    ]);
    return findPipeline(ctx, found, id as number);
  },
});
