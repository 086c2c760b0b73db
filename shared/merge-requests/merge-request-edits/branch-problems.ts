import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import { areRelated } from '../../repositories/project-forks/fork-network.js';
import { branchHeads } from '../merge-request-versions/branch-heads.js';
import type { BranchHeads, Branches } from '../merge-request-versions/branch-heads.js';

const UNRELATED = 'Source project is not a fork of the target project';
const SAME = "You can't use same project/branch for source and target";

/**
 * Validates the branches of a new merge request, or of one whose branches change: identical branches and an unrelated
 * source project result in 422, an open merge request with the same branches in 409, missing branches in 400.
 * @returns the heads of the branches
 * @throws Invalid
 */
export async function requireBranches(
  ctx: Context,
  branches: Branches & { readonly id?: number },
): Promise<{ source: string; target: string }> {
  const { project_id: targetId, source_project_id: sourceId = null, source_branch, target_branch } = branches;
  if (sourceId === targetId && source_branch === target_branch) throw new Invalid([SAME], 422);
  if (sourceId === null || (sourceId !== targetId && !(await areRelated(ctx, sourceId, targetId))))
    throw new Invalid([UNRELATED], 422);
  const heads = await branchHeads(ctx, branches);
  requireThere(heads);
  await requireAlone(ctx, branches);
  return heads;
}

/** @throws Invalid */
function requireThere(heads: BranchHeads): asserts heads is { source: string; target: string } {
  const problems: Problems = {};
  if (heads.source === null) problems.source_branch = ['does not exist'];
  if (heads.target === null) problems.target_branch = ['does not exist'];
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/** Serializes creating or reopening merge requests of the same branches; rejects the second. @throws Invalid 409 */
export async function requireAlone(ctx: Context, branches: Branches & { readonly id?: number }): Promise<void> {
  const { project_id, source_project_id, source_branch, target_branch, id = 0 } = branches;
  const key = [project_id, source_project_id, source_branch, target_branch].join('\n');
  const db = ctx.em.getKysely<MergeRequestsDatabase>();
  await db
    .selectNoFrom((eb) => {
      const number = eb.fn<number>('hashtextextended', [eb.cast(eb.val(key), 'text'), eb.lit(1)]);
      return eb.fn('pg_advisory_xact_lock', [number]).as('locked');
    })
    .execute();
  const other = await db
    .selectFrom('merge_requests as i')
    .select('i.iid')
    .where('i.project_id', '=', project_id)
    .where('i.source_project_id', '=', source_project_id ?? null)
    .where('i.source_branch', '=', source_branch)
    .where('i.target_branch', '=', target_branch)
    .where('i.state', 'in', [constant('opened'), constant('locked')])
    .where('i.id', '<>', id)
    .executeTakeFirst();
  if (other)
    throw new Invalid([`Another open merge request already exists for this source branch: !${other.iid}`], 409);
}
