import type { Tone } from '../../../ui/State.js';
import type { MergeRequestDetails } from './queries.js';

type Status = MergeRequestDetails['detailed_merge_status'];

/** Labels of the API's detailed merge statuses. Statuses that this service never returns display their own name. */
const STATUS_LABELS: Partial<Record<Status, readonly [Tone, string]>> = {
  mergeable: ['good', 'can be merged'],
  preparing: ['quiet', 'preparing'],
  unchecked: ['quiet', 'not checked yet'],
  checking: ['quiet', 'checking'],
  commits_status: ['warn', 'a branch is missing, or there is nothing to merge'],
  draft_status: ['warn', 'marked as draft'],
  discussions_not_resolved: ['warn', 'unresolved threads'],
  not_approved: ['warn', 'approvals required'],
  requested_changes: ['warn', 'a reviewer requested changes'],
  merge_request_blocked: ['warn', 'blocked by another merge request'],
  ci_still_running: ['warn', 'the pipeline is still running'],
  ci_must_pass: ['bad', 'the pipeline must succeed'],
  conflict: ['bad', 'conflicts with the target branch'],
  need_rebase: ['warn', 'the source branch must be rebased'],
};

/** Whether a merge request can be merged, and if not, why; null if that is no longer relevant. */
export function formatMergeability({
  state,
  detailed_merge_status: status,
}: MergeRequestDetails): readonly [Tone, string] | null {
  if (state !== 'opened') return null;
  return STATUS_LABELS[status] ?? ['warn', status.replaceAll('_', ' ')];
}
