import type { UserOrAnonymous } from '../../core/callers.js';
import { policy, roleIn } from '../../core/policy.js';
import { readOnly } from '../../tenancy/projects/project.policy.js';
import { mergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.record.js';

/** Who may approve a merge request, which everybody who reads it sees. */
export const approvalPolicy = policy({
  /** Developers. */
  approve_merge_request: (caller: UserOrAnonymous, request: MergeRequestRecord) =>
    mergeRequestPolicy.read_merge_request(caller, request) &&
    !readOnly(request.project) &&
    roleIn(caller, request.project, 'developer'),
  /** Take all approvals back: bots with an access token of the project or its group, as in the public product. */
  reset_merge_request_approvals: (caller: UserOrAnonymous, request: MergeRequestRecord) =>
    caller.user?.bot === true &&
    mergeRequestPolicy.read_merge_request(caller, request) &&
    !readOnly(request.project) &&
    roleIn(caller, request.project, 'developer'),
});
