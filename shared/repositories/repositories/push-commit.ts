import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { Forbidden, Invalid } from '../../core/values/errors.js';
import { optional, text } from '../../core/operations/fields.js';
import { fetchCommit, isAncestor, isValidBranchName } from '../../git/index.js';
import { loadCommitSha } from './commit-of.js';
import { commitToBranch } from './commit-to-branch.js';
import type { BranchCommit } from './commit-to-branch.js';
import { withGitAnswers } from './git-problems.js';
import { mayPushToBranch, mayWriteRefs } from './ref-rules.js';
import type { RefMove } from './ref-rules.js';
import { fullRefName } from './ref-records.js';
import { refHint } from './ref-hint.js';
import { findRef } from './repository-ref.finder.js';
import { ensureRepository, openRepository, getRepositoryPath } from './write-refs.js';

/** What every commit through the API takes. */
export const commitParams = {
  branch: text()
    .describe('Branch to commit to.')
    .meta({ examples: ['main'] }),
  commit_message: text()
    .describe('Message of the commit.')
    .meta({ examples: ['Add a file'] }),
  start_branch: optional(text()).describe('Branch that a new branch starts from.'),
  author_name: optional(text()).describe("Name of the author; the caller's own name if omitted."),
  author_email: optional(text()).describe("Email address of the author; the caller's own address if omitted."),
};

interface CommitInput {
  branch: string;
  commit_message: string;
  start_branch?: string | undefined;
  start_sha?: string | undefined;
  /** Whether the branch may lose what it has. */
  force?: boolean | undefined;
  author_name?: string | undefined;
  author_email?: string | undefined;
}

const NOT_ALLOWED = 'You are not allowed to push into this branch';

/** Source and target of a commit, and how to report it. */
export interface PushOptions {
  /** A protected branch is 403 on the commits endpoint, 400 on the files endpoint. */
  denial?: 'forbidden' | 'invalid';
  /** The start project of the new branch, whose code the caller may read; the same project by default. */
  startProject?: ProjectRecord;
  /** Sees the commit before the branch moves. */
  beforeMove?: (sha: string) => Promise<void>;
}

/** The submitted start branch or commit; in another project, the branch of the same name by default. */
const startName = (input: CommitInput, startProject: ProjectRecord | undefined) =>
  input.start_sha ?? input.start_branch ?? (startProject && input.branch);

/**
 * The commit that a branch starts from, in the project's own repository; null for the first one of all.
 * @throws Invalid
 */
async function getStart(
  ctx: Context,
  found: ProjectRecord,
  input: CommitInput,
  startProject: ProjectRecord | undefined,
): Promise<string | null> {
  const start = startName(input, startProject);
  if (!isValidBranchName(input.branch)) throw new Invalid('Branch name is invalid');
  if (start === undefined) {
    if (found.default_branch !== null) throw new Invalid('You can only create or edit files when you are on a branch');
    return null;
  }
  const from = startProject ?? found;
  const sha = await loadCommitSha(ctx, from, start);
  if (sha === null) throw new Invalid(`Invalid reference name: ${start}`).hinting(await refHint(ctx, from.id, start));
  if (from.id !== found.id) {
    await ensureRepository(ctx, found, input.branch);
    await fetchCommit(openRepository(ctx, found), getRepositoryPath(ctx, from), sha);
  }
  return sha;
}

/** Whether a branch with a new start point keeps its history: then it is a fast-forward, not forced. */
async function moveOf(ctx: Context, found: ProjectRecord, current: string, startSha: string): Promise<RefMove> {
  const keeps = current === startSha || (await isAncestor(openRepository(ctx, found), current, startSha));
  return keeps ? 'forward' : 'forced';
}

/**
 * Commits as the caller, after the branch's push rule, and answers the commit's sha.
 * @throws Forbidden, Invalid
 */
export async function pushCommit(
  ctx: SignedInContext,
  found: ProjectRecord,
  input: CommitInput,
  actions: BranchCommit['actions'],
  { denial = 'invalid', startProject, beforeMove }: PushOptions = {},
): Promise<string> {
  const error = denial === 'forbidden' ? new Forbidden(NOT_ALLOWED) : new Invalid(NOT_ALLOWED);
  const fullName = fullRefName('branch', input.branch);
  const existing = await findRef(ctx, found.id, fullName);
  if (!(await mayPushToBranch(ctx, found, input.branch, existing ? 'forward' : 'new'))) throw error;
  const starts = startName(input, startProject);
  const startsAnew = starts !== undefined && (startProject !== undefined || starts !== input.branch);
  const force = existing !== null && startsAnew && input.force === true;
  if (existing && startsAnew && !force)
    throw new Invalid(
      `A branch called '${input.branch}' already exists. Switch to that branch in order to make changes`,
    );
  return withGitAnswers(async () => {
    const startSha = existing && !force ? null : await getStart(ctx, found, input, startProject);
    return commitToBranch(ctx, found, {
      branch: input.branch,
      message: input.commit_message,
      actions,
      startSha,
      force,
      async mayMove(current) {
        if (!force || current === null || startSha === null) return;
        const move = await moveOf(ctx, found, current, startSha);
        const [may] = await mayWriteRefs(ctx, found, [{ fullName, move }]);
        if (!may) throw error;
      },
      beforeMove,
      author: { name: input.author_name, email: input.author_email },
    });
  });
}
