import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { readOnly } from '../../tenancy/projects/project.policy.js';
import { mergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';

/** Who can approve a merge request; approvals are visible to all callers who can read it. */
export const approvalPolicy = policy({
  /** Developers. */
  approve_merge_request: (caller: UserOrAnonymous, request: MergeRequestRecord) =>
    mergeRequestPolicy.read_merge_request(caller, request) &&
    !readOnly(request.project) &&
    roleIn(caller, request.project, 'developer'),
});
