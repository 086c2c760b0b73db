import { out, shape } from '../../core/operations/shape.js';
import { userSummary } from '../../tenancy/users/user.shape.js';
import type { Reviewer } from './merge-request.loads.js';

/** Who is to review a merge request (core-resources.md section 7). */
export const reviewerShape = shape<Reviewer>('MergeRequestReviewer', {
  user: out.record(userSummary, ({ user }) => user),
  state: out.text(({ state }) => state, {
    enum: ['unreviewed', 'reviewed', 'requested_changes', 'approved', 'unapproved', 'review_started'],
  }),
  created_at: out.instant(({ created_at }) => created_at),
});
