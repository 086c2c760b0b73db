/** Facts that decide whether a merge request can be merged now. Unavailable features are omitted and never block. */
export interface MergeDetails {
  readonly state: string;
  readonly draft: boolean;
  /** `unchecked`, `checking`, `can_be_merged`, `cannot_be_merged` or `cannot_be_merged_recheck`. */
  readonly merge_status: string;
  /** It has a first version. */
  readonly prepared: boolean;
  /** Both branches are there, and the source has something that the target lacks. */
  readonly has_commits: boolean;
  /** The target moved ahead, and the project requires merge requests to be rebased onto it. */
  readonly behind: boolean;
  /** Of the newest pipeline of its head; null for none. */
  readonly pipeline: string | null;
  readonly pipeline_required: boolean;
  readonly skipped_counts: boolean;
  readonly discussions_open?: boolean;
  readonly approvals_missing?: boolean;
  readonly approvals_counting?: boolean;
  readonly changes_requested?: boolean;
  /** Another merge request comes first. */
  readonly blocked?: boolean;
  readonly too_early?: boolean;
  readonly title_unfit?: boolean;
  readonly issue_key_missing?: boolean;
  readonly paths_locked?: boolean;
  readonly lfs_files_locked?: boolean;
  readonly status_checks_missing?: boolean;
  readonly policies_violated?: boolean;
  readonly policy_pipeline_missing?: boolean;
}

const RUNNING: ReadonlySet<string> = new Set([
  'created',
  'waiting_for_resource',
  'preparing',
  'waiting_for_callback',
  'pending',
  'running',
  'canceling',
  'scheduled',
]);

/** The statuses that block a merge, in order of precedence. */
const OBSTACLES: readonly (readonly [status: string, stands: (details: MergeDetails) => boolean | undefined])[] = [
  ['not_open', ({ state }) => state !== 'opened'],
  ['preparing', ({ prepared }) => !prepared],
  ['commits_status', ({ has_commits }) => !has_commits],
  ['unchecked', ({ merge_status }) => merge_status === 'unchecked'],
  ['checking', ({ merge_status }) => merge_status === 'checking' || merge_status === 'cannot_be_merged_recheck'],
  ['merge_time', (details) => details.too_early],
  ['title_regex', (details) => details.title_unfit],
  ['draft_status', ({ draft }) => draft],
  ['discussions_not_resolved', (details) => details.discussions_open],
  ['approvals_syncing', (details) => details.approvals_counting],
  ['not_approved', (details) => details.approvals_missing],
  ['requested_changes', (details) => details.changes_requested],
  ['merge_request_blocked', (details) => details.blocked],
  ['status_checks_must_pass', (details) => details.status_checks_missing],
  ['security_policy_violations', (details) => details.policies_violated],
  ['security_policy_pipeline_check', (details) => details.policy_pipeline_missing],
  ['jira_association_missing', (details) => details.issue_key_missing],
  ['locked_paths', (details) => details.paths_locked],
  ['locked_lfs_files', (details) => details.lfs_files_locked],
  ['ci_still_running', ({ pipeline_required: required, pipeline }) => required && RUNNING.has(pipeline ?? '')],
  ['ci_must_pass', (details) => details.pipeline_required && !hasPassed(details)],
  ['conflict', ({ merge_status }) => merge_status === 'cannot_be_merged'],
  ['need_rebase', ({ behind }) => behind],
];

function hasPassed({ pipeline, skipped_counts: skipped }: MergeDetails): boolean {
  return pipeline === 'success' || (pipeline === 'skipped' && skipped);
}

/** All values of `detailed_merge_status`. */
export const DETAILED_MERGE_STATUSES: readonly string[] = ['mergeable', ...OBSTACLES.map(([status]) => status)];

/** Why a merge request cannot be merged now: the first reason that there is; `mergeable` for none. */
export const detailedMergeStatus = (details: MergeDetails): string =>
  OBSTACLES.find(([, stands]) => stands(details) === true)?.[0] ?? 'mergeable';
