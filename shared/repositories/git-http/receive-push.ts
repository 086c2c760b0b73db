import type { SignedInContext } from '../../core/context/context.js';
import {
  closeQuarantine,
  isAncestor,
  openQuarantine,
  PackRejectedError,
  readPushed,
  requireConnected,
  takePack,
} from '../../git/index.js';
import type { OpenRepository, PushedObject, PushReport, PushRequest, QuarantinedRepository } from '../../git/index.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { unbornBranch } from '../repositories/default-branch.js';
import { rightsOnRefs } from '../repositories/ref-rules.js';
import { findRef, shortRef } from '../repositories/repository-ref.finder.js';
import { ensureRepository, openRepository } from '../repositories/write-refs.js';
import { moveRefs } from './move-refs.js';
import type { PreparedPush } from './move-refs.js';
import { isBranch, isWritten, isOther, PendingRefs } from './pending-refs.js';
import type { WrittenRef } from './pending-refs.js';
import { pushMessages } from './push-messages.js';
import { CommitCounts } from './push-counts.js';
import { NO_COMMIT, NO_OBJECT, NO_OBJECTS, SHALLOW, TOO_MANY_PROTECTED } from './push-rejections.js';

/** A push as it came, to whatever repository. */
export interface BarePush {
  request: PushRequest;
  /** Maximum bytes of pushed objects; 0 is no limit. */
  maxBytes: number;
  /**
   * Authenticates the caller again with the same credential, after all time-consuming work. @throws the error of a
   * refused credential
   */
  again: () => Promise<SignedInContext>;
}

/** A push to a project. */
interface Push extends BarePush {
  project: ProjectRecord;
}

const MIB = 1024 * 1024;

/** Maximum bytes of pushed objects; 0 is no limit. */
export const mostPushedBytes = ({ settings }: SignedInContext): number => settings.receive_max_input_size * MIB;

/** Maximum protected branches whose history is compared in one push: each takes a process. */
const MOST_COMPARED = 500;

/** Refuses refs to what they cannot hold. */
function requireCommits(refs: readonly WrittenRef[], objects: ReadonlyMap<string, PushedObject>): void {
  for (const ref of refs) {
    const object = objects.get(ref.new);
    if (isOther(ref)) {
      if (!object) ref.rejection = NO_OBJECT;
      continue;
    }
    const fits = isBranch(ref) ? object?.type === 'commit' : typeof object?.commit === 'string';
    if (!fits) ref.rejection = NO_COMMIT;
  }
}

/** Protected branches with a fast-forward update. Other branches need no check. */
async function forwardMoves(
  ctx: SignedInContext,
  project: ProjectRecord,
  repository: QuarantinedRepository,
  refs: readonly WrittenRef[],
): Promise<Set<string>> {
  const moved = refs.filter((ref) => isBranch(ref) && ref.old !== null);
  const names = moved.map(({ ref }) => ref);
  const rights = await rightsOnRefs(ctx, project, names);
  const restricted = moved.filter((_, index) => rights[index]?.protected && !rights[index].forcePush);
  for (const ref of restricted.slice(MOST_COMPARED)) ref.rejection = TOO_MANY_PROTECTED;
  const forward = new Set<string>();
  for (const ref of restricted.slice(0, MOST_COMPARED))
    if (await isAncestor(repository, ref.old!, ref.new)) forward.add(ref.ref);
  return forward;
}

/** Receives the objects and collects all data about them before any lock is held. */
async function prepare(ctx: SignedInContext, push: Push, refs: PendingRefs, quarantine: QuarantinedRepository) {
  const { project, request, maxBytes } = push;
  await takePack(quarantine, request.rest, maxBytes);
  const shas = refs.open.filter(isWritten).map((ref) => ref.new);
  const [, objects, head] = await Promise.all([
    requireConnected(quarantine, shas),
    readPushed(quarantine, shas),
    project.default_branch === null ? null : findRef(ctx, project.id, `refs/heads/${project.default_branch}`),
  ]);
  requireCommits(refs.open.filter(isWritten), objects);
  const counts = new CommitCounts(quarantine, head?.target_sha ?? null);
  // Counted here, concurrently with the rest, so that no lock is held meanwhile.
  const [forward] = await Promise.all([
    forwardMoves(ctx, project, quarantine, refs.open.filter(isWritten)),
    counts.of(refs.open),
  ]);
  return { objects, counts, forward };
}

/** Of a push that only deletes. */
const NOTHING = { objects: new Map(), counts: new CommitCounts(null, null), forward: new Set<string>() };

/** Waits for a slot in the pool, and moves the refs as the caller that the credential now belongs to. */
async function move(begun: SignedInContext, push: Push, prepared: PreparedPush): Promise<void> {
  const { path, caller, pools, signal } = openRepository(begun, push.project) as OpenRepository;
  const release = await pools.pool('refs').take({ caller, project: path }, signal);
  try {
    await moveRefs(await push.again(), prepared);
  } finally {
    release();
  }
}

/** A repository to write to, which an empty project has not yet. */
async function repositoryFor(ctx: SignedInContext, project: ProjectRecord): Promise<OpenRepository> {
  if (!project.repository_created) {
    const branch = await unbornBranch(ctx, project);
    await ctx.transaction(() => ensureRepository(ctx, project, branch));
  }
  return openRepository(ctx, project) as OpenRepository;
}

/**
 * Handles a push: receives its objects into quarantine, has git check them, and moves the refs allowed by the current
 * rules, in one transaction with all consequences. A failed push leaves nothing behind.
 * @returns the actual result of each ref
 * @throws errors that are not the push's fault; then nothing has moved
 */
export async function receivePush(ctx: SignedInContext, push: Push): Promise<PushReport> {
  const { project, request } = push;
  const refs = new PendingRefs(request.commands, request.capabilities.has('atomic'));
  if (request.rejection !== null) {
    refs.rejectAll(request.rejection);
    return refs.report(request.rejection, [request.rejection]);
  }
  if (refs.open.length === 0) return refs.report();
  if (!refs.open.some(isWritten)) {
    await move(ctx, push, { ...NOTHING, project, refs, options: request.options, quarantine: null });
    return refs.report();
  }
  const quarantine = await openQuarantine(await repositoryFor(ctx, project));
  try {
    const preparation = await prepare(ctx, push, refs, quarantine);
    await move(ctx, push, { ...preparation, project, refs, options: request.options, quarantine });
    const branches = refs.open.flatMap((ref) => (isWritten(ref) && isBranch(ref) ? [shortRef(ref.ref)] : []));
    return refs.report(null, await pushMessages(ctx, project, branches));
  } catch (error) {
    if (!(error instanceof PackRejectedError)) throw error;
    const message = error.missing && request.shallow ? SHALLOW : error.message;
    refs.rejectAll(NO_OBJECTS);
    return refs.report(message, [message]);
  } finally {
    await closeQuarantine(quarantine);
  }
}
