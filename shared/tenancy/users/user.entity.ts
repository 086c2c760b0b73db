import { defineEntity, id, timestamp, p, relation, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A person, or a bot that a project or group access token acts as. */
export const User = defineEntity({
  name: 'User',
  tableName: 'users',
  properties: {
    id: id(),
    username: p.string(),
    name: p.string(),
    email: p.string(),
    public_email: p.string().nullable(),
    password_digest: p.string().nullable(),
    /** `active`, `blocked`, `banned`, `deactivated`, `blocked_pending_approval`. */
    state: p.string(),
    admin: p.boolean(),
    /** Reads what administrators read of the instance's work, and changes nothing by it. */
    auditor: p.boolean(),
    external: p.boolean(),
    bot: p.boolean(),
    /** Created by the service itself, such as the user that takes over contributions of a deleted user. */
    internal: p.boolean(),
    created_by_id: reference().nullable(),
    /** Name of the picture's file; null for none. */
    avatar: p.string().nullable(),
    /** When the address was confirmed; null until then. */
    confirmed_at: timestamp().nullable(),
    /** Begin of the newest session, and of the one before it. */
    current_sign_in_at: timestamp().nullable(),
    last_sign_in_at: timestamp().nullable(),
    /** The last day, UTC, on which the user did anything. */
    last_activity_on: p.string().columnType('date').nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type User = InferEntity<typeof User>;

/** A user's profile, and an administrator's decisions about the user. One for each user. */
export const UserProfile = defineEntity({
  name: 'UserProfile',
  tableName: 'user_profiles',
  properties: {
    id: id(),
    user_id: relation(User),
    bio: p.string(),
    location: p.string(),
    linkedin: p.string(),
    twitter: p.string(),
    discord: p.string(),
    github: p.string(),
    website_url: p.string(),
    organization: p.string(),
    job_title: p.string(),
    pronouns: p.string().nullable(),
    /** Others see the summary only. */
    private_profile: p.boolean(),
    /** Of administrators, for administrators. */
    note: p.string().nullable(),
    can_create_group: p.boolean(),
    /** Whether texts of the user pass that look like spam; they are logged all the same. */
    allow_possible_spam: p.boolean(),
    /** Projects at most in the personal namespace. */
    projects_limit: p.integer(),
    /** Null: the user's own address. */
    commit_email: p.string().nullable(),
    theme_id: p.integer(),
    color_scheme_id: p.integer(),
  },
});
export type UserProfile = InferEntity<typeof UserProfile>;

export type UserSummary = Pick<User, 'id' | 'username' | 'name' | 'public_email' | 'state' | 'avatar'>;

/** A user with everything that any caller may see of one. */
export interface UserRecord extends User {
  namespace_id: number | null;
  profile: UserProfile;
  created_by: UserSummary | null;
}
