import { out, shape, shownIf } from '../core/shape.js';
import { userSummary } from '../users/user.shape.js';
import type { MemberRecord } from './member.finder.js';

/** A member: the user's summary and the role (core-resources.md section 4). */
export const memberShape = shape<MemberRecord>('Member', {
  ...userSummary.fields,
  access_level: out.integer((member) => member.access_level),
  created_at: out.instant((member) => member.created_at),
  created_by: out.maybeRecord(userSummary, (member) => member.created_by),
  expires_at: out.maybeDay((member) => member.expires_on),
  // Invitations to addresses without an account do not exist: every member is one.
  membership_state: out.text(() => 'active'),
  ...shownIf<MemberRecord>((_member, ctx) => ctx.caller.admin, { email: out.text((member) => member.email) }),
});
