import type { Context, SignedInContext } from '../../core/context/context.js';
import { lockName } from '../../core/database/lock-name.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import type { CommitAction } from '../../git/index.js';
import { writeCommit } from '../../git/index.js';
import type { Project } from '../../tenancy/projects/project.entity.js';
import { BadParams } from '../../core/values/errors.js';
import { oneOf, withDefault } from '../../core/operations/fields.js';
import { makeDefaultBranch } from './default-branch.js';
import type { RepositoryRef } from './repository-ref.entity.js';
import { findRef } from './repository-ref.finder.js';
import { ensureRepository, openRepository, toSeconds, writeRefs } from './write-refs.js';

export interface BranchCommit {
  branch: string;
  message: string;
  actions: CommitAction[];
  /** The commit to start from where the branch does not exist yet. */
  startSha?: string | null;
  /** Whether it starts from there also where the branch exists, which then loses what it had. */
  force?: boolean;
  /** Refuses changes that the caller may not make to the branch in its current state: its commit, if it exists. */
  mayMove?: (current: string | null) => Promise<void>;
  author?: { name?: string | undefined; email?: string | undefined };
  /** Looks at the commit before the branch moves: git does not undo that with the transaction. */
  beforeMove?: ((sha: string) => Promise<void>) | undefined;
}

/** A commit that is made on the head of a branch, which moves there. */
interface BranchMove {
  branch: string;
  at: Date;
  /** Makes it on the branch as it is now: nothing else moves it meanwhile. */
  make: (current: RepositoryRef | null) => Promise<string>;
  beforeMove?: BranchCommit['beforeMove'];
}

/**
 * The branch of that full name as it is, or null. Commits to one branch wait for each other, so that each builds on the
 * one before it.
 */
export async function lockBranch(
  ctx: Context,
  project: { id: number },
  fullName: string,
): Promise<RepositoryRef | null> {
  await lockName(ctx, `push:${project.id}:${fullName}`);
  return findRef(ctx, project.id, fullName);
}

/**
 * Moves a branch to a new commit created for it. The first branch of an empty repository becomes the default branch and
 * is protected. The caller of this function checks push access. Returns the commit's sha.
 */
export async function moveBranch(
  ctx: SignedInContext,
  project: Project,
  { branch, at, make, beforeMove }: BranchMove,
): Promise<string> {
  await ensureRepository(ctx, project, branch);
  const fullName = `refs/heads/${branch}`;
  const current = await lockBranch(ctx, project, fullName);
  const sha = await make(current);
  await beforeMove?.(sha);
  if (!project.default_branch) await makeDefaultBranch(ctx, project, branch);
  await writeRefs(ctx, project, [
    { fullName, from: current?.object_sha ?? null, to: { object_sha: sha, target_sha: sha, date: toSeconds(at) } },
  ]);
  return sha;
}

/** Commits file changes to a branch as the caller, as {@link moveBranch} does. Returns the commit's sha. */
export async function commitToBranch(ctx: SignedInContext, project: Project, commit: BranchCommit): Promise<string> {
  const { branch, message, actions, author = {}, startSha = null, force = false, mayMove, beforeMove } = commit;
  const committer = await loadSignature(ctx);
  const at = ctx.clock.now();
  const make = async (current: RepositoryRef | null) => {
    await mayMove?.(current?.target_sha ?? null);
    const { sha } = await writeCommit(openRepository(ctx, project), {
      baseSha: force ? startSha : (current?.target_sha ?? startSha),
      message,
      author: { name: author.name ?? committer.name, email: author.email ?? committer.email },
      committer,
      at,
      actions,
    });
    return sha;
  };
  return moveBranch(ctx, project, { branch, at, make, beforeMove });
}

/** Name and address under which the caller commits. */
export async function loadSignature(ctx: SignedInContext): Promise<{ name: string; email: string }> {
  return ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('users as u')
    .select(['u.name', 'u.email'])
    .where('u.id', '=', ctx.caller.user.id)
    .executeTakeFirstOrThrow();
}

export const encoding = withDefault(oneOf(['text', 'base64']), 'text').describe(
  'Encoding of the content; binary content requires `base64`.',
);

/**
 * The bytes of a file as a request writes them; base64 may be broken into lines.
 * @param name of the parameter, for the error
 * @throws BadParams
 */
export function contentBytes(content: string, encoded: 'text' | 'base64', name: string): Buffer {
  if (encoded === 'text') return Buffer.from(content, 'utf8');
  const digits = content.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(digits) || digits.replace(/=+$/, '').length % 4 === 1)
    throw new BadParams([`${name} is invalid`]);
  return Buffer.from(digits, 'base64');
}
