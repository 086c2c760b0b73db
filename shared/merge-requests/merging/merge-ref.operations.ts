import { Invalid } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import {
  fetchCommit,
  commitTree,
  mergeHistories,
  objectDates,
  resolveCommit,
  tryMerge,
  updateRefs,
} from '../../git/index.js';
import { withGitAnswers } from '../../repositories/repositories/git-problems.js';
import { openRepository, getRepositoryPath } from '../../repositories/repositories/write-refs.js';
import { branchHeads } from '../merge-request-versions/branch-heads.js';
import { mergeRequest } from '../merge-requests/merge-request.finder.js';
import { mergeRequestPolicy } from '../merge-requests/merge-request.policy.js';

/** The commit that merging would make. */
export interface MergeRef {
  readonly commit_id: string;
}

export const mergeRefSerializer = serializer<MergeRef>('MergeRequestMergeRef', {
  commit_id: out.text((mergeRef) => mergeRef.commit_id),
});

const notMergeable = () => new Invalid('Merge request is not mergeable');

/** A fixed identity, so that the same branches result in the same commit for every caller. */
const NOBODY = { name: 'Merge', email: 'merge@localhost' };

/**
 * Merge the head of a merge request into its target as a trial: `refs/merge-requests/:iid/merge` leads to the commit,
 * no branch does. The same branches give the same commit each time.
 */
export const getMergeRef = operation({
  name: 'getMergeRef',
  summary: 'Merge a merge request to its merge ref',
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  authentication: 'open',
  kind: 'read',
  statements: 8,
  async run(ctx, found): Promise<MergeRef> {
    const { source, target } = await branchHeads(ctx, found);
    if (found.state !== 'opened' || source === null || target === null) throw notMergeable();
    const repository = openRepository(ctx, found.project);
    const { source_project_id: sourceId = null } = found;
    if (sourceId !== null && sourceId !== found.project_id && (await resolveCommit(repository, source)) === null)
      await fetchCommit(repository, getRepositoryPath(ctx, { id: sourceId }), source);
    return withGitAnswers(async () => {
      const sides = { ours: target, theirs: source };
      if (found.merge_status !== 'can_be_merged' && (await tryMerge(repository, sides)) !== 'mergeable')
        throw notMergeable();
      const merged = await mergeHistories(repository, sides);
      if (!('tree' in merged)) throw notMergeable();
      const dates = await objectDates(repository, [source, target]);
      const at = new Date(Math.max(dates.get(source) ?? 0, dates.get(target) ?? 0) * 1000);
      const message = `Merge branch '${found.source_branch}' of ${found.full_path} into '${found.target_branch}'`;
      const { tree } = merged;
      const parents = [target, source];
      const sha = await commitTree(repository, { tree, parents, message, author: NOBODY, committer: NOBODY, at });
      await updateRefs(repository, [{ ref: `refs/merge-requests/${found.iid}/merge`, new: sha }]);
      return { commit_id: sha };
    });
  },
});
