import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { roleIn } from '../../core/operations/policy.js';
import { projectPolicy, writable } from '../../tenancy/projects/project.policy.js';
import { firstCommitRole } from '../protected-refs/protect-branch.js';
import { refRights } from '../protected-refs/ref-rights.js';
import type { RefRights } from '../protected-refs/ref-rights.js';
import { collaborationBranches } from './collaboration.js';
import { isTagRef, kindOfRef, shortRef } from './repository-ref.finder.js';

/** The caller's permissions on refs of a project by their protection, with one statement. */
export function rightsOnRefs(ctx: Context, project: ProjectRecord, fullNames: readonly string[]): Promise<RefRights[]> {
  const { caller } = ctx;
  return refRights(
    ctx,
    fullNames.map((full_name) => ({
      project_id: project.id,
      full_name,
      user_id: caller.id,
      admin: caller.admin,
      access: project.access,
    })),
  );
}

async function rightsOnRef(ctx: Context, project: ProjectRecord, fullName: string): Promise<RefRights> {
  const [rights] = await rightsOnRefs(ctx, project, [fullName]);
  return rights as RefRights;
}

/**
 * What becomes of a ref: it comes in, moves on, goes where what it held is lost, or is deleted. A tag that moves is
 * forced.
 */
export type RefMove = 'new' | 'forward' | 'forced' | 'gone';

export interface RefWrite {
  /** `refs/heads/…`, `refs/tags/…`, or another ref, which is never protected. */
  fullName: string;
  move: RefMove;
}

/**
 * Why the caller may not write a ref: no push access at all, no permission to create the first branch, or a restriction
 * by its protection or by being the default branch.
 */
export type WriteRejection = 'role' | 'first_branch' | 'default_gone' | `protected_${'branch' | 'tag'}_${RefMove}`;

/** The rejection of a move by the ref's protection, if any, or because it is the default branch. */
function findRuleRejection(
  project: ProjectRecord,
  { fullName, move }: RefWrite,
  rights: RefRights,
): WriteRejection | null {
  if (isTagRef(fullName)) {
    const open = move === 'new' ? rights.create : !rights.protected;
    return open ? null : `protected_tag_${move}`;
  }
  if (move === 'gone') {
    if (shortRef(fullName) === project.default_branch) return 'default_gone';
    return rights.protected ? 'protected_branch_gone' : null;
  }
  if (move === 'forced' && rights.push && !rights.forcePush) return 'protected_branch_forced';
  return rights.push ? null : `protected_branch_${move === 'forced' ? 'forward' : move}`;
}

const isBranchRef = (fullName: string): boolean => kindOfRef(fullName) === 'branch';

/**
 * Rejections for callers without push access to the project: they may only fast-forward branches that are open to them
 * for collaboration.
 */
async function findRejectionsOfOthers(
  ctx: Context,
  project: ProjectRecord,
  writes: readonly RefWrite[],
): Promise<(WriteRejection | null)[]> {
  if (ctx.caller.anonymous || !writable(project)) return writes.map(() => 'role');
  const offered = await collaborationBranches(ctx, project);
  return writes.map(({ fullName, move }) => {
    const moves = move === 'forward' || move === 'forced';
    return moves && isBranchRef(fullName) && offered.has(shortRef(fullName)) ? null : 'role';
  });
}

/**
 * Why the caller may not write refs, or null for each that they may, with one statement for all of them: Developers; a
 * protected branch by its push rule and, for a non-fast-forward update, if that rule allows it; a protected tag by its
 * create rule, and only once; other refs are not protected. The first commit of an empty project creates a branch that
 * its group may reserve for Maintainers. Single source for commits, new branches and tags, pushes, and mirror updates.
 */
export async function findWriteRejections(
  ctx: Context,
  project: ProjectRecord,
  writes: readonly RefWrite[],
): Promise<(WriteRejection | null)[]> {
  if (!projectPolicy.push_code(ctx.caller, project)) return findRejectionsOfOthers(ctx, project, writes);
  const branchesOpen =
    project.default_branch !== null ||
    !writes.some(({ fullName }) => isBranchRef(fullName)) ||
    roleIn(ctx.caller, project, await firstCommitRole(ctx, project));
  const allRights = await rightsOnRefs(
    ctx,
    project,
    writes.map(({ fullName }) => fullName),
  );
  return writes.map((write, index) => {
    if (kindOfRef(write.fullName) === 'other') return null;
    if (!branchesOpen && isBranchRef(write.fullName)) return 'first_branch';
    return findRuleRejection(project, write, allRights[index] as RefRights);
  });
}

/** Whether the caller may write refs: {@link findWriteRejections}. */
export async function mayWriteRefs(
  ctx: Context,
  project: ProjectRecord,
  writes: readonly RefWrite[],
): Promise<boolean[]> {
  return (await findWriteRejections(ctx, project, writes)).map((rejection) => rejection === null);
}

async function mayWriteRef(ctx: Context, project: ProjectRecord, write: RefWrite): Promise<boolean> {
  return (await mayWriteRefs(ctx, project, [write]))[0] === true;
}

/**
 * Whether the caller may commit to a branch.
 * @param move `new` where the branch is not there yet: one that is offered moves on, and is not made
 */
export function mayPushToBranch(
  ctx: Context,
  project: ProjectRecord,
  branch: string,
  move: 'forward' | 'new' = 'forward',
): Promise<boolean> {
  return mayWriteRef(ctx, project, { fullName: `refs/heads/${branch}`, move });
}

/** Whether the caller may create a tag. */
export function mayCreateTag(ctx: Context, project: ProjectRecord, tag: string): Promise<boolean> {
  return mayWriteRef(ctx, project, { fullName: `refs/tags/${tag}`, move: 'new' });
}

/** Whether the caller may merge into a branch: Developers, on a protected one by its merge rule. */
export async function mayMergeIntoBranch(ctx: Context, project: ProjectRecord, branch: string): Promise<boolean> {
  if (!projectPolicy.push_code(ctx.caller, project)) return false;
  return (await rightsOnRef(ctx, project, `refs/heads/${branch}`)).merge;
}

/** Whether the caller may delete a tag: Developers, a protected one Maintainers (protected-tags.md section 5). */
export async function mayDeleteTag(ctx: Context, project: ProjectRecord, tag: string): Promise<boolean> {
  if (!projectPolicy.push_code(ctx.caller, project)) return false;
  if (roleIn(ctx.caller, project, 'maintainer')) return true;
  return !(await rightsOnRef(ctx, project, `refs/tags/${tag}`)).protected;
}

/** Whether a rule protects a branch. */
export async function isProtectedBranch(ctx: Context, project: ProjectRecord, branch: string): Promise<boolean> {
  return (await rightsOnRef(ctx, project, `refs/heads/${branch}`)).protected;
}
