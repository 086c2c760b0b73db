import { clearableText, boolean, integer, optional, oneOf } from '../../core/fields.js';

const onOff = (docs: string) => optional(boolean()).describe(docs);
const words = (docs: string) => clearableText().describe(docs);

/** How a project's changes are reviewed and merged (seed 2.10 "Merge settings", "Templates"). */
export const mergeParams = {
  merge_method: optional(oneOf(['merge', 'rebase_merge', 'ff'])).describe('How merge requests are merged.'),
  squash_option: optional(oneOf(['never', 'always', 'default_on', 'default_off'])).describe(
    'Whether commits are squashed.',
  ),
  only_allow_merge_if_pipeline_succeeds: onOff('Whether only merge requests whose pipeline succeeded are merged.'),
  only_allow_merge_if_all_discussions_are_resolved: onOff('Whether only resolved merge requests are merged.'),
  only_allow_merge_if_all_status_checks_passed: onOff('Whether all status checks must pass. Ultimate.'),
  allow_merge_on_skipped_pipeline: onOff('Whether a skipped pipeline counts as one that succeeded.'),
  remove_source_branch_after_merge: onOff('Whether merging removes the source branch unless told otherwise.'),
  printing_merge_request_link_enabled: onOff('Whether a push is answered with a link to a merge request.'),
  resolve_outdated_diff_discussions: onOff('Whether a push resolves discussions of lines that it changes.'),
  autoclose_referenced_issues: onOff('Whether merging closes the issues that are named.'),
  merge_pipelines_enabled: onOff('Whether pipelines run on the merged result.'),
  merge_trains_enabled: onOff('Whether merge requests wait in a train.'),
  mr_default_target_self: onOff('In a fork: whether merge requests go to the fork itself.'),
  approvals_before_merge: optional(integer()).describe('Approvals that a merge request needs. Premium; deprecated.'),
  suggestion_commit_message: words('Message of commits that apply a suggestion.'),
  merge_commit_template: words('Template of merge commit messages.'),
  squash_commit_template: words('Template of squash commit messages.'),
  issue_branch_template: words('Template of names of branches made from issues.'),
  issues_template: words('Description that new issues begin with. Premium.'),
  merge_requests_template: words('Description that new merge requests begin with. Premium.'),
};
