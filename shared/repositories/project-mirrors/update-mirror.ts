import type { Context } from '../../core/context/context.js';
import { askRemote } from '../../git/index.js';
import type { RemoteTimeouts } from '../../git/index.js';
import { openImportUrl } from '../../tenancy/projects/project-secrets.js';
import { leftOutText } from '../project-imports/left-out.js';
import { locateRemote } from '../project-imports/locate-remote.js';
import { remoteProblem } from '../project-imports/remote-problem.js';
import { ensureRepository } from '../repositories/write-refs.js';
import { applyChanges } from './apply-changes.js';
import { fetchChanges, forgetFetched } from './mirror-changes.js';
import { beginUpdate, failUpdate, finishUpdate } from './mirror-state.js';
import { actAsMirrorUser, loadMirror, MirrorRejectedError, MirrorReplaced } from './mirror-user.js';
import type { MirrorRow } from './mirror-user.js';

/** @returns message about refs that stayed unchanged */
async function syncMirror(
  ctx: Context,
  projectId: number,
  row: MirrorRow,
  timeouts: RemoteTimeouts,
): Promise<string | null> {
  if (!row.import_url) throw new MirrorRejectedError('The mirror has no URL.');
  const { acting, found } = await actAsMirrorUser(ctx, projectId, row.user);
  const repository = await locateRemote(ctx, openImportUrl(ctx, projectId, row.import_url), timeouts.silenceMs);
  const { refs, unfit, defaultBranch } = await askRemote(repository, timeouts);
  if (refs.length === 0) return leftOutText({ unfit });
  const location = await acting.transaction(() => ensureRepository(acting, found, 'main'));
  try {
    const { changes, crowded } = await fetchChanges(acting, found, location, { repository, refs }, row, timeouts);
    const first = found.default_branch === null;
    const denied = await applyChanges(ctx, projectId, row, changes, { wished: defaultBranch, first });
    return leftOutText({ unfit, denied, crowded });
  } finally {
    await forgetFetched(location);
  }
}

/**
 * Updates a mirrored project from the repository at its `import_url`, as the mirror user and with this user's current
 * permissions. Reports an unavailable source, and refs left out because this user may not write them, in `last_error`.
 * Idempotent.
 * @param timeouts how long to wait for the remote; a minute by default
 * @throws errors for the queue to retry
 */
export async function updateMirror(
  ctx: Context,
  projectId: number,
  timeouts: Omit<RemoteTimeouts, 'signal'> = {},
): Promise<void> {
  const row = ctx.hasPlan('premium') ? await loadMirror(ctx, projectId) : null;
  if (!row || !(await beginUpdate(ctx, projectId))) return;
  try {
    const leftOut = await syncMirror(ctx, projectId, row, { ...timeouts, signal: ctx.signal });
    if (leftOut !== null) ctx.log.info({ project_id: projectId, reason: leftOut }, 'project_mirror.left_out');
    await finishUpdate(ctx, projectId, leftOut);
  } catch (error) {
    if (error instanceof MirrorReplaced) return;
    const reason = error instanceof MirrorRejectedError ? error.message : remoteProblem(error);
    if (reason === null) throw error;
    ctx.log.info({ err: error, project_id: projectId }, 'project_mirror.failed');
    await failUpdate(ctx, projectId, reason, 'started');
  }
}
