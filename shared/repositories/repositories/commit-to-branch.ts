import type { SignedInContext } from '../../core/context.js';
import type { CommitAction } from '../../git/index.js';
import { writeCommit } from '../../git/index.js';
import { sql } from '../../core/sql.js';
import type { Project } from '../../tenancy/projects/project.entity.js';
import { makeDefaultBranch } from './first-branch.js';
import { findRef } from './repository-ref.finder.js';
import { ensureRepository, openRepository, secondsOf, writeRefs } from './write-refs.js';

export interface BranchCommit {
  branch: string;
  message: string;
  actions: CommitAction[];
  /** The commit to start from where the branch does not exist yet. */
  startSha?: string | null;
  author?: { name?: string | undefined; email?: string | undefined };
  /** Looks at the commit before the branch moves: git does not undo that with the transaction. */
  look?: ((sha: string) => Promise<void>) | undefined;
}

/**
 * Commits file changes to a branch as the caller. The first commit of an empty repository makes the branch,
 * which becomes the default one and is protected. Whether the caller may push is asked before (`mayPushToBranch`).
 * Returns the commit's sha.
 */
export async function commitToBranch(ctx: SignedInContext, project: Project, commit: BranchCommit): Promise<string> {
  await ensureRepository(ctx, project, commit.branch);
  const fullName = `refs/heads/${commit.branch}`;
  // Commits to one branch wait for each other, so that each builds on the one before it.
  await ctx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`push:${project.id}:${fullName}`}, 0))`);
  const current = await findRef(ctx, project.id, fullName);
  const committer = await signatureOf(ctx);
  const at = ctx.clock.now();
  const { sha } = await writeCommit(openRepository(ctx, project), {
    baseSha: current?.target_sha ?? commit.startSha ?? null,
    message: commit.message,
    author: {
      name: commit.author?.name ?? committer.name,
      email: commit.author?.email ?? committer.email,
    },
    committer,
    at,
    actions: commit.actions,
  });
  await commit.look?.(sha);
  if (!project.default_branch) await makeDefaultBranch(ctx, project, commit.branch);
  await writeRefs(ctx, project, [
    { fullName, from: current?.object_sha ?? null, to: { object_sha: sha, target_sha: sha, date: secondsOf(at) } },
  ]);
  return sha;
}

/** Name and address under which the caller commits. */
export async function signatureOf(ctx: SignedInContext): Promise<{ name: string; email: string }> {
  const user = await ctx.queryOne<{ name: string; email: string }>(
    sql`select u.name as "name", u.email as "email" from users u where u.id = ${ctx.caller.user.id}`,
  );
  return user as { name: string; email: string };
}
