import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { makeDefaultBranch } from '../repositories/default-branch.js';
import { mayWriteRefs } from '../repositories/ref-rules.js';
import { shortRef } from '../repositories/repository-ref.finder.js';
import { writeRefs } from '../repositories/write-refs.js';
import type { MirrorChange } from './mirror-changes.js';
import { actAtWrite } from './mirror-user.js';
import type { MirrorRow } from './mirror-user.js';

/** Refs that move in one transaction: rows are locked, and git writes a file for each. */
const AT_ONCE = 500;

/**
 * Makes the remote's default branch, or otherwise the first one fetched, the project's default branch if it has none.
 */
async function chooseDefault(
  ctx: Context,
  found: ProjectRecord,
  changes: readonly MirrorChange[],
  wished: string | null,
) {
  if (found.default_branch !== null) return;
  const branches = changes.flatMap(({ fullName }) => (fullName.startsWith('refs/heads/') ? [shortRef(fullName)] : []));
  const chosen = branches.find((name) => name === wished) ?? branches[0];
  if (chosen !== undefined) await makeDefaultBranch(ctx, found, chosen);
}

/**
 * Moves refs to the fetched state of a mirror, a few hundred in each transaction, as the mirror user and with current
 * permissions: refs that this user could not change by a commit or push stay unchanged. The initial update of a mirror
 * starts no pipelines.
 * @param wished the remote's default branch
 * @returns full names of the refused refs
 * @throws MirrorRejectedError, MirrorReplaced
 */
export async function applyChanges(
  ctx: Context,
  projectId: number,
  row: MirrorRow,
  changes: readonly MirrorChange[],
  { wished, first }: { wished: string | null; first: boolean },
): Promise<string[]> {
  const denied: string[] = [];
  // Creates and protects the default branch before checking permissions for the others.
  const isDefault = ({ fullName }: MirrorChange) => fullName === `refs/heads/${wished}`;
  const ordered = [...changes.filter(isDefault), ...changes.filter((change) => !isDefault(change))];
  for (let at = 0; at < ordered.length; at += AT_ONCE) {
    ctx.signal.throwIfAborted();
    const some = ordered.slice(at, at + AT_ONCE);
    await ctx.transaction(async () => {
      const { acting, found } = await actAtWrite(ctx, projectId, row);
      const allowed = await mayWriteRefs(acting, found, some);
      const open = some.filter((_, index) => allowed[index]);
      denied.push(...some.filter((_, index) => !allowed[index]).map(({ fullName }) => fullName));
      if (open.length === 0) return;
      // What is mirrored starts pipelines only where that is chosen.
      await writeRefs(acting, found, open, { startsPipelines: false });
      await chooseDefault(acting, found, open, wished);
      if (row.mirror_trigger_builds && !first) acting.record({ type: 'mirror.updated', project: found, changes: open });
    });
  }
  return denied;
}
