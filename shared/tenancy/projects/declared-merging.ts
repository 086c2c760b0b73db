import { out } from '../../core/operations/serializer.js';
import { declareSettings } from '../namespaces/declared-settings.js';
import { MOST } from '../namespaces/setting-kinds.js';
import { kind } from './declared-kinds.js';

/** How a project's changes are reviewed and merged (projects.md "Merge settings", "Templates"). */
export const mergeSettings = declareSettings({
  merge_method: kind.choice(['merge', 'rebase_merge', 'ff'], 'merge', 'Merge method of the project.', {
    audited: true,
  }),
  squash_option: kind.choice(
    ['never', 'always', 'default_on', 'default_off'],
    'default_off',
    'Squash option of the project.',
    {},
  ),
  only_allow_merge_if_pipeline_succeeds: kind.flag(
    false,
    'If `true`, merge requests can be merged only after their pipeline succeeds.',
    { audited: true },
  ),
  only_allow_merge_if_all_discussions_are_resolved: kind.flag(
    false,
    'If `true`, merge requests can be merged only after all threads are resolved.',
    {
      audited: true,
    },
  ),
  only_allow_merge_if_all_status_checks_passed: kind.flag(
    false,
    'If `true`, merge requests can be merged only after all status checks pass. Ultimate.',
    {
      plan: 'ultimate',
    },
  ),
  allow_merge_on_skipped_pipeline: kind.flag(false, 'If `true`, a skipped pipeline counts as successful.', {}),
  remove_source_branch_after_merge: kind.flag(
    true,
    'If `true`, the source branch is removed after the merge by default.',
    {},
  ),
  printing_merge_request_link_enabled: kind.flag(
    true,
    'If `true`, the output of a push includes a link to create a merge request.',
    {},
  ),
  resolve_outdated_diff_discussions: kind.flag(
    false,
    'If `true`, threads on lines that a push changes are resolved.',
    {},
  ),
  autoclose_referenced_issues: kind.flag(true, 'If `true`, referenced issues are closed on merge.', {}),
  merge_pipelines_enabled: kind.flag(false, 'If `true`, merged results pipelines are enabled.', {}),
  merge_trains_enabled: kind.flag(false, 'If `true`, merge trains are enabled.', {}),
  mr_default_target_self: kind.flag(false, 'In a fork: whether merge requests go to the fork itself.', {
    visibleTo: 'of_forks',
  }),
  approvals_before_merge: {
    ...kind.number(0, { low: 0, high: MOST }, 'Approvals that a merge request needs. Premium; deprecated.', {
      plan: 'premium',
      audited: true,
    }),
    // Described as the public API describes it.
    show: out.nullableInteger,
  },
  suggestion_commit_message: kind.text(255, 'Message of commits that apply a suggestion.', { inherited: true }),
  merge_commit_template: kind.text(500, 'Template of merge commit messages.', { inherited: true }),
  squash_commit_template: kind.text(500, 'Template of squash commit messages.', { inherited: true }),
  issue_branch_template: kind.text(255, 'Template of names of branches made from issues.', {}),
  issues_template: kind.text(65_535, 'Description that new issues begin with. Premium.', { plan: 'premium' }),
  merge_requests_template: kind.text(65_535, 'Description that new merge requests begin with. Premium.', {
    plan: 'premium',
  }),
});
