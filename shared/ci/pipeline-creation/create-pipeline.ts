import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { countAction } from '../../core/operations/limit-actions.js';
import { can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { refHint } from '../../repositories/repositories/ref-hint.js';
import { expandRef, findRef, shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { findPipeline } from '../pipelines/pipeline.finder.js';
import { maySetPipelineVariables } from '../pipelines/pipeline.policy.js';
import { mayRunOnRef } from '../pipelines/pipeline-rights.js';
import { checkInputs, checkVariables, startParams } from '../pipelines/start-values.js';
import { insertPlannedPipeline, preparePipeline } from './prepare-pipeline.js';
import type { PreparedPipeline } from './prepare-pipeline.js';

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

interface StartInput {
  ref: string;
  variables?: { key: string; value: string; variable_type: string }[] | undefined;
  inputs?: Record<string, unknown> | undefined;
}

/** Checks what the caller asks for, and works out what comes of it. @throws Invalid, BadParams, RateLimited, Overloaded */
async function prepare(ctx: SignedInContext, found: ProjectRecord, input: StartInput): Promise<PreparedPipeline> {
  const { ref, variables = [], inputs = {} } = input;
  checkInputs(inputs);
  const head = await requireHead(ctx, found, ref);
  await countAction(ctx, 'pipelines_create', [found.id, head.target_sha]);
  await requireAllowed(ctx, found, head.full_name);
  if (variables.length > 0 && !maySetPipelineVariables(ctx.caller, found))
    throw createBaseError('Insufficient permissions to set pipeline variables');
  checkVariables(variables);
  const prepared = await preparePipeline(ctx, {
    project: found,
    ref: head.full_name,
    sha: head.target_sha,
    source: ctx.caller.session ? 'web' : 'api',
    variables: variables.map((variable) => ({ ...variable, raw: false })),
    inputs,
    pipeline_schedule_id: null,
  });
  const { plan } = prepared;
  if (plan.kind === 'failed' || plan.kind === 'filtered') throw createBaseError(plan.text);
  return prepared;
}

/** What the check before the transaction found, for the transaction. */
const prepared = new WeakMap<Context<Caller>, PreparedPipeline>();

/**
 * Start a pipeline for the head of a branch or tag. Its jobs are those of its configuration; without one it waits until
 * an executor reports (ci-execution.md section 1).
 */
export const createPipeline = operation({
  name: 'createPipeline',
  summary: 'Create a pipeline',
  resource: project,
  can: can(projectPolicy, 'create_pipeline'),
  kind: 'write',
  statements: 36,
  params: {
    ref: text()
      .describe('Branch or tag of the pipeline, as a short or full name.')
      .meta({ examples: ['main'] }),
    ...startParams,
  },
  precheck: {
    applies: () => true,
    async check(ctx, found, input) {
      prepared.set(ctx, await prepare(ctx as SignedInContext, found, input));
    },
  },
  async run(ctx, found, input) {
    const ready = prepared.get(ctx) ?? (await prepare(ctx, found, input));
    prepared.delete(ctx);
    // The user may have lost the right since it was checked.
    await requireAllowed(ctx, found, ready.request.ref);
    return findPipeline(ctx, found, await insertPlannedPipeline(ctx, ready));
  },
});
