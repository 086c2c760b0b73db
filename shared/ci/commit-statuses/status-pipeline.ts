import { lockName } from '../../core/database/lock-name.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { NotFound } from '../../core/values/errors.js';
import { commitRefs } from '../../git/index.js';
import type { CiDatabase } from '../ci.entities.js';
import { insertPipelines } from '../pipelines/insert-pipelines.js';
import { requireRunOnRef } from '../pipelines/pipeline-rights.js';
import { fullRefName } from '../../repositories/repositories/ref-records.js';
import { expandRef, shortRef } from '../../repositories/repositories/repository-ref.finder.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';

interface StatusTarget {
  sha: string;
  ref?: string | undefined;
  pipeline_id?: number | undefined;
}

interface Found {
  id: number;
  ref: string;
  tag: boolean;
}

async function newestMatch(ctx: Context, project: ProjectRecord, target: StatusTarget): Promise<Found | null> {
  const { sha, ref, pipeline_id: id } = target;
  const query = ctx.em
    .getKysely<CiDatabase>()
    .selectFrom('pipelines as pl')
    .select(['pl.id', 'pl.ref', 'pl.tag'])
    .where('pl.project_id', '=', project.id)
    .where('pl.sha', '=', sha)
    .$if(ref !== undefined, (of) => of.where('pl.ref', '=', shortRef(ref as string)))
    .$if(id !== undefined, (of) => of.where('pl.id', '=', id as number))
    .orderBy('pl.id', 'desc')
    .limit(constant(1))
    .forNoKeyUpdate();
  return (await query.executeTakeFirst()) ?? null;
}

/** Has reports about one commit wait for each other until the transaction ends. */
const lockCommit = (ctx: Context, project: ProjectRecord, sha: string): Promise<void> =>
  lockName(ctx, `commit-status:${project.id}:${sha}`);

/**
 * The full ref for a new pipeline: the requested ref (a branch if ambiguous), otherwise a branch that contains the
 * commit.
 */
async function refFor(ctx: Context, project: ProjectRecord, { sha, ref }: StatusTarget): Promise<string> {
  if (ref !== undefined) {
    const expansion = await expandRef(ctx, project.id, ref);
    return expansion === 'ambiguous' ? fullRefName('branch', ref) : expansion.fullName;
  }
  const [branch] = await commitRefs(openRepository(ctx, project), sha, 'branch', 1);
  if (branch === undefined) throw new NotFound('References for commit');
  return branch;
}

/**
 * The pipeline that a status report belongs to, with its row locked: the requested one, otherwise the newest of the
 * commit (and ref), otherwise a new one with source `external`. Reports about the same commit are serialized, so that
 * they create a single pipeline.
 * @throws NotFound if the requested pipeline does not belong to this commit and ref; Forbidden if the ref is protected
 */
export async function pipelineForStatus(
  ctx: SignedInContext,
  project: ProjectRecord,
  target: StatusTarget,
): Promise<number> {
  await lockCommit(ctx, project, target.sha);
  const found = await newestMatch(ctx, project, target);
  if (found) {
    await requireRunOnRef(ctx, project, fullRefName(found.tag ? 'tag' : 'branch', found.ref));
    return found.id;
  }
  if (target.pipeline_id !== undefined) throw new NotFound('Pipeline for pipeline_id, sha and ref');
  const ref = await refFor(ctx, project, target);
  await requireRunOnRef(ctx, project, ref);
  const [id] = await insertPipelines(ctx, [
    {
      project_id: project.id,
      ref,
      sha: target.sha,
      source: 'external',
      user_id: ctx.caller.user.id,
      pipeline_schedule_id: null,
      variables: [],
      inputs: null,
    },
  ]);
  return id as number;
}
