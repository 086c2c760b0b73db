import type { User, UserProfile } from './user.entity.js';

export type UserSummary = Pick<User, 'id' | 'username' | 'name' | 'public_email' | 'state' | 'avatar'>;

/** A user with everything that any caller may see of one. */
export interface UserRecord extends User {
  namespace_id: number | null;
  profile: UserProfile;
  created_by: UserSummary | null;
}
