import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context, SignedInContext } from '../../core/context.js';
import { Forbidden, Invalid } from '../../core/errors.js';
import { optional, text } from '../../core/fields.js';
import { isValidBranchName } from '../../git/index.js';
import { commitOf } from './commit-of.js';
import { commitToBranch } from './commit-to-branch.js';
import type { BranchCommit } from './commit-to-branch.js';
import { withGitAnswers } from './git-problems.js';
import { mayPushToBranch } from './ref-rules.js';
import { fullRefName } from './ref-records.js';
import { refHint } from './ref-hint.js';
import { findRef } from './repository-ref.finder.js';

/** What every commit through the API takes. */
export const commitParams = {
  branch: text()
    .describe('Branch to commit to.')
    .meta({ examples: ['main'] }),
  commit_message: text()
    .describe('Message of the commit.')
    .meta({ examples: ['Add a file'] }),
  start_branch: optional(text()).describe('Branch that a new branch starts from.'),
  author_name: optional(text()).describe("Name of the author; the caller's own when left out."),
  author_email: optional(text()).describe("Address of the author; the caller's own when left out."),
};

interface CommitInput {
  branch: string;
  commit_message: string;
  start_branch?: string | undefined;
  start_sha?: string | undefined;
  author_name?: string | undefined;
  author_email?: string | undefined;
}

const NOT_ALLOWED = 'You are not allowed to push into this branch';

/**
 * The commit that a branch yet to be made starts from; null for the first one of all.
 * @throws Invalid
 */
async function startOf(ctx: Context, found: ProjectRecord, input: CommitInput): Promise<string | null> {
  const start = input.start_sha ?? input.start_branch;
  if (!isValidBranchName(input.branch)) throw new Invalid('Branch name is invalid');
  if (start !== undefined) {
    const sha = await commitOf(ctx, found, start);
    if (sha === null)
      throw new Invalid(`Invalid reference name: ${start}`).hinting(await refHint(ctx, found.id, start));
    return sha;
  }
  if (found.default_branch !== null) throw new Invalid('You can only create or edit files when you are on a branch');
  return null;
}

/**
 * Commits as the caller, after the branch's push rule, and answers the commit's sha.
 * @param options.refusal a protected branch is 403 on the commits endpoint, 400 on the files endpoint
 * @param options.look sees the commit before the branch moves
 * @throws Forbidden, Invalid
 */
export async function pushCommit(
  ctx: SignedInContext,
  found: ProjectRecord,
  input: CommitInput,
  actions: BranchCommit['actions'],
  { refusal = 'invalid', look }: { refusal?: 'forbidden' | 'invalid'; look?: (sha: string) => Promise<void> } = {},
): Promise<string> {
  if (!(await mayPushToBranch(ctx, found, input.branch)))
    throw refusal === 'forbidden' ? new Forbidden(NOT_ALLOWED) : new Invalid(NOT_ALLOWED);
  const existing = await findRef(ctx, found.id, fullRefName('branch', input.branch));
  const starts = input.start_sha ?? input.start_branch;
  if (existing && starts !== undefined && starts !== input.branch)
    throw new Invalid(
      `A branch called '${input.branch}' already exists. Switch to that branch in order to make changes`,
    );
  const startSha = existing ? null : await startOf(ctx, found, input);
  return withGitAnswers(() =>
    commitToBranch(ctx, found, {
      branch: input.branch,
      message: input.commit_message,
      actions,
      startSha,
      look,
      author: { name: input.author_name, email: input.author_email },
    }),
  );
}
