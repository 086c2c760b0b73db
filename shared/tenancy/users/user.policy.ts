import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy } from '../../core/operations/policy.js';
import type { User, UserProfile } from './user.entity.js';

/** What rights need to know of a user. */
export type UserDetails = Pick<User, 'id'> & { profile: Pick<UserProfile, 'private_profile'> };

const self = (caller: UserOrAnonymous, user: UserDetails) => !caller.anonymous && caller.id === user.id;
const administrator = (caller: UserOrAnonymous) => caller.admin;

/** Permissions on one user (core-resources.md section 1). */
export const userPolicy = policy({
  /** Profiles may be private; summaries never are. */
  read_user_profile: (caller: UserOrAnonymous, user: UserDetails) =>
    !user.profile.private_profile || self(caller, user) || caller.admin,
  /** Address, limits, settings. */
  read_user_details: (caller: UserOrAnonymous, user: UserDetails) => self(caller, user) || caller.admin,
  /** What administrators keep about a user. */
  admin_user: administrator as (caller: UserOrAnonymous, user: UserDetails) => boolean,
  update_user: administrator as (caller: UserOrAnonymous, user: UserDetails) => boolean,
  destroy_user: administrator as (caller: UserOrAnonymous, user: UserDetails) => boolean,
  block_user: administrator as (caller: UserOrAnonymous, user: UserDetails) => boolean,
  /** Everybody makes their own; external users make none outside projects. */
  create_snippet: (caller: UserOrAnonymous, user: UserDetails) => self(caller, user) && !caller.user?.external,
  create_personal_access_token: administrator as (caller: UserOrAnonymous, user: UserDetails) => boolean,
});

/** Permissions on users in general. */
export const usersPolicy = policy({
  create_user: administrator as (caller: UserOrAnonymous, instance: null) => boolean,
  /** Filters and orders that reveal more than single records do. */
  filter_users_fully: administrator as (caller: UserOrAnonymous, instance: null) => boolean,
});
