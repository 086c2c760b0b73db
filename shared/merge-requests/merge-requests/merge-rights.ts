import type { Context } from '../../core/context/context.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { rightsOnRefs } from '../../repositories/repositories/ref-rules.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { MergeRequestRecord } from './merge-request.entity.js';

/** Whether the caller can merge into each branch: Developers, or users allowed to merge or push to a protected one. */
export async function mayMergeInto(
  ctx: Context,
  project: ProjectRecord,
  branches: readonly string[],
): Promise<boolean[]> {
  if (!projectPolicy.push_code(ctx.caller, project)) return branches.map(() => false);
  const rights = await rightsOnRefs(
    ctx,
    project,
    branches.map((branch) => `refs/heads/${branch}`),
  );
  return rights.map(({ merge, push }) => merge || push);
}

/** Whether the caller may merge it: {@link mayMergeInto} its target branch. */
export async function mayMerge(
  ctx: Context,
  { project, target_branch }: Pick<MergeRequestRecord, 'project' | 'target_branch'>,
): Promise<boolean> {
  return (await mayMergeInto(ctx, project, [target_branch]))[0] === true;
}
