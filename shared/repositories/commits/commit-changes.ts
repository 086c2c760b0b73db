import { boolean, withDefault } from '../../core/operations/fields.js';
import { NotFound } from '../../core/values/errors.js';
import { commitCount, emptyTree, signatureType } from '../../git/index.js';
import type { SignatureType } from '../../git/index.js';
import { can, operation } from '../../core/operations/operation.js';
import type { OffsetSource } from '../../core/values/offset-source.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { requireCommit } from '../repositories/commit-of.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { asUnidiff, readFileDiffs } from './file-diffs.js';
import type { AttributedDiff } from './file-diffs.js';
import { openRepository } from '../repositories/write-refs.js';
import { findCommit, sha } from './commit.operations.js';

const reads = {
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
} as const;

/** List how files differ from the commit's first parent (delivery-resources.md section 6). */
export const listDiffsOfCommit = operation({
  name: 'listDiffsOfCommit',
  summary: 'List the diffs of a commit',
  ...reads,
  statements: 5,
  params: {
    sha,
    unidiff: withDefault(boolean(), false).describe(
      'If `true`, includes the header that names the files of each diff.',
    ),
  },
  async run(ctx, found, input): Promise<OffsetSource<AttributedDiff>> {
    const commit = await findCommit(ctx, found, await requireCommit(ctx, found, input.sha));
    const range = { from: commit.parent_ids[0] ?? emptyTree, to: commit.sha };
    const slices: OffsetSource<AttributedDiff> = {
      async slice(skip, limit) {
        const page = await readFileDiffs(openRepository(ctx, found), range, { skip, limit });
        slices.total = page.total;
        return input.unidiff ? page.files.map(asUnidiff) : page.files;
      },
    };
    return slices;
  },
});

/** Count the commits in a commit's history, including itself: its position in the order of commits. */
export const getCommitSequence = operation({
  name: 'getCommitSequence',
  summary: 'Read the sequence of a commit',
  ...reads,
  statements: 5,
  params: {
    sha,
    first_parent: withDefault(boolean(), false).describe('If `true`, follows only the first parent of merge commits.'),
  },
  async run(ctx, found, input) {
    const commit = await requireCommit(ctx, found, input.sha);
    const options = { firstParent: input.first_parent };
    return { count: await withGitAnswers(() => commitCount(openRepository(ctx, found), commit, options)) };
  },
});

/** Read the signature of a commit. No signing keys are registered, so none is verified. */
export const getCommitSignature = operation({
  name: 'getCommitSignature',
  summary: 'Read the signature of a commit',
  ...reads,
  statements: 5,
  params: { sha },
  async run(ctx, found, input): Promise<{ type: SignatureType }> {
    const commit = await requireCommit(ctx, found, input.sha);
    const type = await withGitAnswers(() => signatureType(openRepository(ctx, found), commit));
    if (type === null) throw new NotFound('Signature');
    return { type };
  },
});
