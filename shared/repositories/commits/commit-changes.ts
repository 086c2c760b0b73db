import { optional, boolean } from '../../core/fields.js';
import { emptyTree, readDiffs } from '../../git/index.js';
import type { FileDiff } from '../../git/index.js';
import { can, operation } from '../../core/operation.js';
import type { OffsetSource } from '../../core/offset-source.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { requireCommit } from '../repositories/commit-of.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { openRepository } from '../repositories/write-refs.js';
import { findCommit, sha } from './commit.operations.js';
import type { MergeRequestOfCommit } from './commit-changes.shape.js';

const reads = { subject: project, can: can(projectPolicy, 'read_code'), gate: 'open', kind: 'read' } as const;

/** List how files differ from the commit's first parent (delivery-resources.md section 6). */
export const listDiffsOfCommit = operation({
  name: 'listDiffsOfCommit',
  summary: 'List the diffs of a commit',
  ...reads,
  statements: 5,
  params: { sha, unidiff: optional(boolean()).describe('Accepted; hunks are always in the unified format.') },
  async run(ctx, found, input): Promise<OffsetSource<FileDiff>> {
    const commit = await findCommit(ctx, found, await requireCommit(ctx, found, input.sha));
    const range = { from: commit.parent_ids[0] ?? emptyTree, to: commit.sha };
    const slices: OffsetSource<FileDiff> = {
      async slice(skip, limit) {
        const page = await withGitAnswers(() => readDiffs(openRepository(ctx, found), range, { skip, limit }));
        slices.total = page.total;
        return page.files;
      },
    };
    return slices;
  },
});

/** List the merge requests that a commit is part of: none, since there are no merge requests. */
export const listMergeRequestsOfCommit = operation({
  name: 'listMergeRequestsOfCommit',
  summary: 'List the merge requests of a commit',
  ...reads,
  statements: 5,
  params: { sha },
  async run(ctx, found, input): Promise<MergeRequestOfCommit[]> {
    await findCommit(ctx, found, await requireCommit(ctx, found, input.sha));
    return [];
  },
});
