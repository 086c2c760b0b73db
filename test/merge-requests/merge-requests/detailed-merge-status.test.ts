import test from 'ava';
import {
  DETAILED_MERGE_STATUSES,
  detailedMergeStatus,
} from '../../../shared/merge-requests/merge-requests/detailed-merge-status.js';
import type { MergeDetails } from '../../../shared/merge-requests/merge-requests/detailed-merge-status.js';

const ready: MergeDetails = {
  state: 'opened',
  draft: false,
  merge_status: 'can_be_merged',
  prepared: true,
  has_commits: true,
  behind: false,
  pipeline: null,
  pipeline_required: false,
  skipped_counts: false,
};

const CASES: Record<string, Partial<MergeDetails>> = {
  mergeable: {},
  not_open: { state: 'closed' },
  preparing: { prepared: false },
  commits_status: { has_commits: false },
  unchecked: { merge_status: 'unchecked' },
  checking: { merge_status: 'checking' },
  merge_time: { too_early: true },
  title_regex: { title_unfit: true },
  draft_status: { draft: true },
  discussions_not_resolved: { discussions_open: true },
  approvals_syncing: { approvals_counting: true },
  not_approved: { approvals_missing: true },
  requested_changes: { changes_requested: true },
  merge_request_blocked: { blocked: true },
  status_checks_must_pass: { status_checks_missing: true },
  security_policy_violations: { policies_violated: true },
  security_policy_pipeline_check: { policy_pipeline_missing: true },
  jira_association_missing: { issue_key_missing: true },
  locked_paths: { paths_locked: true },
  locked_lfs_files: { lfs_files_locked: true },
  ci_still_running: { pipeline_required: true, pipeline: 'running' },
  ci_must_pass: { pipeline_required: true, pipeline: 'failed' },
  conflict: { merge_status: 'cannot_be_merged' },
  need_rebase: { behind: true },
};

// Contract: mr-7.status
test('each obstacle has its status, and the first one that there is counts', (t) => {
  t.deepEqual(Object.keys(CASES).toSorted(), DETAILED_MERGE_STATUSES.toSorted());
  for (const [status, details] of Object.entries(CASES)) t.is(detailedMergeStatus({ ...ready, ...details }), status);
  t.is(detailedMergeStatus({ ...ready, draft: true, merge_status: 'cannot_be_merged' }), 'draft_status');
  t.is(detailedMergeStatus({ ...ready, pipeline_required: true, pipeline: 'success' }), 'mergeable');
  t.is(detailedMergeStatus({ ...ready, pipeline_required: true, pipeline: 'skipped' }), 'ci_must_pass');
  t.is(
    detailedMergeStatus({ ...ready, pipeline_required: true, pipeline: 'skipped', skipped_counts: true }),
    'mergeable',
  );
});
