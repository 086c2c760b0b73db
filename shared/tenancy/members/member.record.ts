import type { UserSummary } from '../users/user.record.js';

/** A user as a member of something: `id` is the user's. */
export interface MemberRecord extends UserSummary {
  email: string;
  access_level: number;
  expires_on: string | null;
  created_at: Date;
  created_by: UserSummary | null;
  bot: boolean;
  internal: boolean;
  /** The row of the membership itself. */
  member_id: number;
}
