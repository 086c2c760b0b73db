import type { SignedInContext } from '../../core/context/context.js';
import { Forbidden } from '../../core/values/errors.js';
import {
  closeQuarantine,
  openQuarantine,
  PackRejectedError,
  RefConflict,
  readPushed,
  requireConnected,
  setDefaultBranch,
  takeOver,
  takePack,
} from '../../git/index.js';
import type { OpenRepository, PushReport, QuarantinedRepository } from '../../git/index.js';
import { contentPath, openContent } from '../repositories/content-ref.js';
import type { ContentRepository } from '../repositories/content-repository.entity.js';
import { findContent, lockContent } from '../repositories/content-repository.finder.js';
import { ensureContent, moveContent } from '../repositories/write-content.js';
import { shortRef } from '../repositories/repository-ref.finder.js';
import type { GitContent } from './git-content.js';
import { getGitContent } from './git-content.js';
import { isBranch, isWritten, PendingRefs } from './pending-refs.js';
import type { WrittenRef } from './pending-refs.js';
import { CHANGED, NO_COMMIT, NO_OBJECTS, ONE_BRANCH, SHALLOW, TRY_AGAIN } from './push-rejections.js';
import type { BarePush } from './receive-push.js';

/** The only branch that a push may move; all other commands are refused. The first push chooses it. */
function getBranch(refs: PendingRefs, row: ContentRepository | null): WrittenRef | null {
  const own = row?.head_sha ? `refs/heads/${row.branch}` : null;
  const branches = refs.open.filter((ref): ref is WrittenRef => isWritten(ref) && isBranch(ref));
  const branch = own === null ? branches[0] : branches.find(({ ref }) => ref === own);
  for (const ref of refs.open) if (ref !== branch) ref.rejection = ONE_BRANCH;
  return branch && refs.open.includes(branch) ? branch : null;
}

/** Receives the objects, and checks whether their commit may become the content. */
async function judge(content: GitContent, push: BarePush, ref: WrittenRef, quarantine: QuarantinedRepository) {
  await takePack(quarantine, push.request.rest, push.maxBytes);
  const [, objects] = await Promise.all([requireConnected(quarantine, [ref.new]), readPushed(quarantine, [ref.new])]);
  if (objects.get(ref.new)?.type !== 'commit') ref.rejection = NO_COMMIT;
  else ref.rejection = await content.findRejection(quarantine, ref.new);
}

/** Finds the repository again with current permissions. @throws NotFound, Forbidden */
async function requireStill(ctx: SignedInContext, { fullPath }: GitContent): Promise<void> {
  const content = await getGitContent(fullPath)!(ctx);
  const rejection = content.unreadable ?? content.unwritable;
  if (rejection !== null) throw Forbidden.saying(rejection);
}

/** Moves the branch in one transaction, with current permissions. */
function land(ctx: SignedInContext, content: GitContent, ref: WrittenRef, quarantine: QuarantinedRepository) {
  const { contentRef } = content;
  return ctx.transaction(async () => {
    await requireStill(ctx, content);
    const row = await lockContent(ctx, contentRef);
    const branch = shortRef(ref.ref);
    const stays =
      row !== null && (row.head_sha ?? null) === ref.old && (row.head_sha === null || row.branch === branch);
    if (!stays) {
      ref.rejection = CHANGED;
      return;
    }
    await takeOver(quarantine);
    await moveContent(ctx, contentRef, { ...row, branch }, ref.new);
    if (row.branch !== branch) await setDefaultBranch(contentPath(ctx, contentRef), branch);
  });
}

async function move(content: GitContent, push: BarePush, ref: WrittenRef, quarantine: QuarantinedRepository) {
  const { path, caller, pools, signal } = quarantine;
  const release = await pools.pool('refs').take({ caller, project: path }, signal);
  try {
    await land(await push.again(), content, ref, quarantine);
  } catch (error) {
    if (!(error instanceof RefConflict)) throw error;
    ref.rejection = error.reason === 'locked' ? TRY_AGAIN : CHANGED;
  } finally {
    release();
  }
}

/**
 * Handles a push to a wiki or snippet, as {@link receivePush} does for projects. Such a repository has one branch: tags
 * and other branches are refused, and the branch cannot be deleted (decision 58).
 * @returns the result of each ref
 * @throws errors that are not the push's fault; then nothing has moved
 */
export async function receiveContent(ctx: SignedInContext, content: GitContent, push: BarePush): Promise<PushReport> {
  const { request } = push;
  const refs = new PendingRefs(request.commands, request.capabilities.has('atomic'));
  if (request.rejection !== null) {
    refs.rejectAll(request.rejection);
    return refs.report(request.rejection, [request.rejection]);
  }
  const ref = getBranch(refs, await findContent(ctx, content.contentRef));
  if (!ref || !refs.open.includes(ref)) return refs.report();
  await ctx.transaction(() => ensureContent(ctx, content.contentRef, shortRef(ref.ref)));
  const quarantine = await openQuarantine(openContent(ctx, content.contentRef) as OpenRepository);
  try {
    await judge(content, push, ref, quarantine);
    if (ref.rejection === null) await move(content, push, ref, quarantine);
    return refs.report();
  } catch (error) {
    if (!(error instanceof PackRejectedError)) throw error;
    const message = error.missing && request.shallow ? SHALLOW : error.message;
    refs.rejectAll(NO_OBJECTS);
    return refs.report(message, [message]);
  } finally {
    await closeQuarantine(quarantine);
  }
}
