import type { Context, SignedInContext } from '../../core/context/context.js';
import { lockName } from '../../core/database/lock-name.js';
import { constant } from '../../core/database/expressions.js';
import { BadParams, Invalid } from '../../core/values/errors.js';
import { isTagRef, shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';
import type { CiDatabase } from '../ci.entities.js';
import type { createPushPipelines } from '../ci.jobs.js';
import { maySetPipelineVariables } from '../pipelines/pipeline.policy.js';
import { pipelineRights } from '../pipelines/pipeline-rights.js';
import { checkInputs, checkVariables } from '../pipelines/start-values.js';
import { findConfigurations, detectConfigurations } from './find-configurations.js';
import { insertPlannedPipeline, preparePipeline } from './prepare-pipeline.js';
import { openPushOptions } from './push-options.js';
import type { PushChoices } from './push-options.js';

type Push = NonNullable<(typeof createPushPipelines)['payload']>;
type PushedRef = Push['refs'][number];

/** Whether the options of a push are for a caller who may give them; a push with others makes no pipeline. */
function areAllowed(acting: SignedInContext, project: ProjectRecord, { variables, inputs }: PushChoices): boolean {
  if (variables.length > 0 && !maySetPipelineVariables(acting.caller, project)) return false;
  try {
    checkVariables(variables);
    checkInputs(inputs);
    return true;
  } catch (error) {
    if (error instanceof Invalid || error instanceof BadParams) return false;
    throw error;
  }
}

/** The refs that may have pipelines: all for a mirror, else those whose commits may have a configuration. */
async function findWorthwhile(acting: SignedInContext, project: ProjectRecord, push: Push): Promise<PushedRef[]> {
  const { refs, records = false } = push;
  const rights = await pipelineRights(
    acting,
    refs.map(({ ref }) => ({ caller: acting.caller, project, ref })),
  );
  const allowed = refs.filter((_, index) => rights[index] === 'allowed');
  if (records) return allowed;
  const commits = allowed.map(({ to }) => ({ project_id: project.id, sha: to }));
  const known = await findConfigurations(acting, commits);
  const unknown = known.flatMap(({ presence, path }, index) =>
    presence === 'unknown' ? [{ ...commits[index]!, path }] : [],
  );
  await detectConfigurations(acting, unknown);
  const found = unknown.length > 0 ? await findConfigurations(acting, commits) : known;
  return allowed.filter((_, index) => found[index]?.presence === 'maybe');
}

/** Whether the job made the pipeline of a ref before it was repeated. */
async function hasPipeline(
  ctx: SignedInContext,
  project: ProjectRecord,
  { ref, to }: PushedRef,
  at: Date,
): Promise<boolean> {
  const existing = await ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipelines as pl')
    .select('pl.id')
    .where('pl.project_id', '=', project.id)
    .where('pl.sha', '=', to)
    .where('pl.ref', '=', shortRef(ref))
    .where('pl.tag', '=', isTagRef(ref))
    .where('pl.source', '=', constant('push'))
    .where('pl.created_at', '>=', at)
    .limit(constant(1))
    .executeTakeFirst();
  return existing !== undefined;
}

async function createOne(
  acting: SignedInContext,
  project: ProjectRecord,
  pushed: PushedRef,
  push: Push,
  { skips, variables, inputs }: PushChoices,
): Promise<void> {
  const { ref, from, to: sha } = pushed;
  const at = new Date(push.at);
  if (await hasPipeline(acting, project, pushed, at)) return;
  const prepared = await preparePipeline(
    acting,
    {
      project,
      ref,
      sha,
      source: 'push',
      variables: variables.map((variable) => ({ ...variable, raw: false })),
      inputs,
      pipeline_schedule_id: null,
      before_sha: from,
    },
    skips,
  );
  const { kind } = prepared.plan;
  if (kind === 'filtered' || (kind === 'record' && !push.records)) return;
  await acting.transaction(async () => {
    await lockName(acting, `push-pipeline:${project.id}:${ref}`);
    if (!(await hasPipeline(acting, project, pushed, at))) await insertPlannedPipeline(acting, prepared);
  });
}

/**
 * Makes the pipelines of a push, as the user who pushed and with the rights of now: of each ref whose commit has a
 * configuration. Repeated it makes none twice.
 */
export async function makePushPipelines(ctx: Context, push: Push): Promise<void> {
  const acting = await actAsUser(ctx, push.user_id);
  const project = acting && (await findVisibleProject(acting, push.project_id));
  if (!acting || !project?.repository_created || project.builds_access_level === 'disabled') return;
  const choices = openPushOptions(ctx, push.sealed_options);
  if (!areAllowed(acting, project, choices)) return;
  for (const pushed of await findWorthwhile(acting, project, push)) {
    ctx.signal.throwIfAborted();
    await createOne(acting, project, pushed, push, choices);
  }
}
