import type { Context } from '../../core/context/context.js';
import { actAsUser } from '../../tenancy/users/acting-user.js';
import { findWriteRejections } from '../../repositories/repositories/ref-rules.js';
import { findRef } from '../../repositories/repositories/repository-ref.finder.js';
import { writeRefs } from '../../repositories/repositories/write-refs.js';
import { findVisibleProject } from '../../tenancy/projects/project.finder.js';

interface Removal {
  readonly project_id: number;
  readonly branch: string;
  readonly sha: string;
  readonly user_id: number;
}

/** Deletes the source branch as the user who merged, if permitted and if the branch has not moved. Idempotent. */
export async function removeSourceBranch(ctx: Context, removal: Removal): Promise<void> {
  const acting = await actAsUser(ctx, removal.user_id);
  if (!acting) return;
  await acting.transaction(async () => {
    const project = await findVisibleProject(acting, removal.project_id);
    const fullName = `refs/heads/${removal.branch}`;
    const ref = project && (await findRef(acting, project.id, fullName));
    if (ref?.target_sha !== removal.sha) return;
    const [rejection] = await findWriteRejections(acting, project!, [{ fullName, move: 'gone' }]);
    if (rejection === null) await writeRefs(acting, project!, [{ fullName, from: ref.object_sha, to: null }]);
  });
}
