import type { Context } from '../../core/context.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { rightsOnRefs } from '../../repositories/repositories/ref-rules.js';
import type { MergeRequestRecord } from './merge-request.record.js';

/** Whether the caller may merge it: Developers, into a protected branch who may merge or push there. */
export async function mayMerge(
  ctx: Context,
  { project, target_branch }: Pick<MergeRequestRecord, 'project' | 'target_branch'>,
): Promise<boolean> {
  if (!projectPolicy.push_code(ctx.caller, project)) return false;
  const [rights] = await rightsOnRefs(ctx, project, [`refs/heads/${target_branch}`]);
  return rights?.merge === true || rights?.push === true;
}
