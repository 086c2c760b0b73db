import type { SignedInContext } from '../../core/context/context.js';
import { Forbidden, Invalid } from '../../core/values/errors.js';
import { boolean, optional, presentText, text, withDefault } from '../../core/operations/fields.js';
import { pickCommit } from '../../git/index.js';
import type { PickKind } from '../../git/index.js';
import { can, operation } from '../../core/operations/operation.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { commitPolicy, commitTarget } from '../repositories/collaboration.js';
import { requireCommit } from '../repositories/commit-of.js';
import { moveBranch, loadSignature } from '../repositories/commit-to-branch.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { findRefRecord } from '../repositories/ref-records.js';
import { mayPushToBranch } from '../repositories/ref-rules.js';
import { openRepository } from '../repositories/write-refs.js';
import { findCommit, sha } from './commit.operations.js';
import type { CommitRecord, DryRun } from './commit.serializer.js';

/** The new commit, or that there could be one. */
export type PickResult = CommitRecord | DryRun;

interface PickInput {
  sha: string;
  branch: string;
  dry_run: boolean;
  message?: string | undefined;
}

const sentence = (verb: string, done: string) =>
  `Sorry, we cannot ${verb} this commit automatically. This commit may already have been ${done}, or a more recent commit may have updated some of its content.`;

const FAILURE_MESSAGES: Record<PickKind, string> = {
  cherry_pick: sentence('cherry-pick', 'cherry-picked'),
  revert: sentence('revert', 'reverted'),
};

/** The messages that the public API gives such commits. */
const MESSAGES: Record<PickKind, (picked: CommitRecord, original: string) => string> = {
  cherry_pick: ({ sha: id }, original) => `${original.trimEnd()}\n\n(cherry picked from commit ${id})`,
  revert: ({ sha: id, title }) => `Revert "${title}"\n\nThis reverts commit ${id}`,
};

async function requirePush(ctx: SignedInContext, found: ProjectRecord, branch: string): Promise<void> {
  if (!(await mayPushToBranch(ctx, found, branch))) throw new Forbidden('You are not allowed to push into this branch');
}

/**
 * Applies or reverts a commit's changes on a branch, by a new commit of the caller.
 * @throws Forbidden, NotFound, Invalid with `error_code` `conflict` or `empty`
 */
async function pickTo(
  ctx: SignedInContext,
  found: ProjectRecord,
  kind: PickKind,
  input: PickInput,
): Promise<PickResult> {
  const { branch, dry_run: dryRun, message } = input;
  await requirePush(ctx, found, branch);
  const picked = await findCommit(ctx, found, await requireCommit(ctx, found, input.sha));
  const head = await findRefRecord(ctx, found, 'branch', branch);
  const [committer, at] = [await loadSignature(ctx), ctx.clock.now()];
  const formatMessage = message ? () => message : (original: string) => MESSAGES[kind](picked, original);
  const pick = async (onto: string): Promise<string | null> => {
    const result = await pickCommit(openRepository(ctx, found), {
      kind,
      sha: picked.sha,
      onto,
      committer,
      at,
      message: dryRun ? undefined : formatMessage,
    });
    if ('sha' in result) return result.sha;
    throw new Invalid(FAILURE_MESSAGES[kind]).telling({
      error_code: result.failure,
      ...(dryRun && { dry_run: 'error' }),
    });
  };
  return withGitAnswers(async () => {
    if (dryRun) {
      await pick(head.target_sha);
      return { dry_run: 'success' };
    }
    let commit: CommitRecord | undefined;
    const beforeMove = async (id: string) => {
      commit = await findCommit(ctx, found, id);
      // Merging may have taken a while: push access may have changed meanwhile.
      await requirePush(ctx, found, branch);
    };
    const make = async (current: { target_sha: string } | null) => (await pick((current ?? head).target_sha)) as string;
    await moveBranch(ctx, found, { branch, at, make, beforeMove });
    return commit as CommitRecord;
  });
}

const writes = {
  resource: commitTarget,
  can: can(commitPolicy, 'push_code'),
  kind: 'write',
  statements: 24,
} as const;

const params = {
  sha,
  branch: presentText()
    .describe('Branch to create the new commit on.')
    .meta({ examples: ['main'] }),
  dry_run: withDefault(boolean(), false).describe(
    'If `true`, only checks if the new commit is possible, without creating it.',
  ),
};

/** Apply the changes of a commit against its first parent to a branch. */
export const cherryPickCommit = operation({
  name: 'cherryPickCommit',
  summary: 'Cherry-pick a commit',
  ...writes,
  params: {
    ...params,
    message: optional(text()).describe('Message of the new commit; the message of the original commit if omitted.'),
  },
  run: (ctx, found, input) => pickTo(ctx, found, 'cherry_pick', input),
});

/** Revert the changes of a commit against its first parent on a branch. */
export const revertCommit = operation({
  name: 'revertCommit',
  summary: 'Revert a commit',
  ...writes,
  params: {
    ...params,
    message: optional(text()).describe('Message of the new commit; names the reverted commit if omitted.'),
  },
  run: (ctx, found, input) => pickTo(ctx, found, 'revert', input),
});
