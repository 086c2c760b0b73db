import type { Tone } from '../../../ui/State.js';
import type { MergeRequestDetails } from './queries.js';

type Status = MergeRequestDetails['detailed_merge_status'];

/** Labels of the API's detailed merge statuses. Statuses that this service never returns display their own name. */
const STATUS_LABELS: Partial<Record<Status, readonly [Tone, string]>> = {
  mergeable: ['good', 'can be merged'],
  preparing: ['quiet', 'its first version is being prepared'],
  unchecked: ['quiet', 'not yet looked at'],
  checking: ['quiet', 'being looked at'],
  commits_status: ['warn', 'a branch is gone, or there is nothing to merge'],
  draft_status: ['warn', 'it is a draft'],
  discussions_not_resolved: ['warn', 'threads are not resolved'],
  not_approved: ['warn', 'approvals are missing'],
  requested_changes: ['warn', 'a reviewer wants changes'],
  merge_request_blocked: ['warn', 'another merge request comes first'],
  ci_still_running: ['warn', 'its pipeline still runs'],
  ci_must_pass: ['bad', 'its pipeline must succeed'],
  conflict: ['bad', 'it conflicts with the target branch'],
  need_rebase: ['warn', 'the target branch moved on: it must be rebased'],
};

/** Whether a merge request can be merged, and if not, why; null if that is no longer relevant. */
export function formatMergeability({
  state,
  detailed_merge_status: status,
}: MergeRequestDetails): readonly [Tone, string] | null {
  if (state !== 'opened') return null;
  return STATUS_LABELS[status] ?? ['warn', status.replaceAll('_', ' ')];
}
