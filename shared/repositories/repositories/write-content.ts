import type { Context, SignedInContext } from '../../core/context/context.js';
import { lockName } from '../../core/database/lock-name.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { createRepository, updateRefs, writeCommit } from '../../git/index.js';
import type { CommitAction } from '../../git/index.js';
import { noteMove } from './ref-moves.js';
import { loadSignature } from './commit-to-branch.js';
import { withGitAnswers } from './git-problems.js';
import { contentColumns, contentPath, openContent, contentName } from './content-ref.js';
import type { ContentRef } from './content-ref.js';
import type { ContentRepository } from './content-repository.entity.js';
import { lockContent } from './content-repository.finder.js';

/** Default branch name of a new repository. */
const FIRST_BRANCH = 'main';

/** Only one at a time makes or removes the repository of a content that has no row. */
export const lockContentName = (ctx: Context, content: ContentRef) => lockName(ctx, `content:${contentName(content)}`);

/**
 * The repository of a content, locked until the transaction ends; created if there is none. If the transaction rolls
 * back, the sweep removes its files.
 */
export async function ensureContent(ctx: Context, ref: ContentRef, branch = FIRST_BRANCH): Promise<ContentRepository> {
  const existing = await lockContent(ctx, ref);
  if (existing) return existing;
  await lockContentName(ctx, ref);
  const now = ctx.clock.now();
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .insertInto('content_repositories')
    .values({ ...contentColumns(ref), branch, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const content = (await lockContent(ctx, ref))!;
  await createRepository(contentPath(ctx, ref), content.branch);
  return content;
}

/**
 * Moves the branch of a repository whose row is locked: first the row, then the notifications, then git, which compares
 * the old value (decision 58). If the process dies in between, its note causes the row to be rebuilt from git.
 * @param to full id of a commit that the repository has
 * @throws RefConflict
 */
export async function moveContent(
  ctx: Context,
  content: ContentRef,
  { id, branch, head_sha: from }: ContentRepository,
  to: string,
): Promise<void> {
  const now = ctx.clock.now();
  const moving = noteMove(ctx, { id: contentName(content) });
  await ctx.em
    .getKysely<RepositoriesDatabase>()
    .updateTable('content_repositories')
    .set((eb) => ({
      head_sha: to,
      branch,
      updated_at: now,
      writes_since_upkeep: eb('writes_since_upkeep', '+', eb.lit(1)),
    }))
    .where('id', '=', id)
    .execute();
  ctx.record({ type: 'content.updated', content, from: from ?? null, to });
  await ctx.publishRecorded();
  await moving(() =>
    updateRefs(openContent(ctx, content), [{ ref: `refs/heads/${branch}`, old: from ?? null, new: to }]),
  );
}

/** A commit that the caller makes: its message, and what it does to files, in order. */
interface ContentCommit {
  message: string;
  actions: CommitAction[];
}

/**
 * Commits to the branch of a repository as the caller, and creates the repository if there is none.
 * @returns the commit's full id
 * @throws Invalid for actions that do not fit the current files
 */
export async function commitToContent(
  ctx: SignedInContext,
  content: ContentRef,
  { message, actions }: ContentCommit,
): Promise<string> {
  const found = await ensureContent(ctx, content);
  const author = await loadSignature(ctx);
  return withGitAnswers(async () => {
    const { sha } = await writeCommit(openContent(ctx, content), {
      baseSha: found.head_sha ?? null,
      message,
      author,
      committer: author,
      at: ctx.clock.now(),
      actions,
    });
    await moveContent(ctx, content, found, sha);
    return sha;
  });
}
