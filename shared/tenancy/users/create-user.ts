import type { Context } from '../../core/context/context.js';
import { violatedConstraint } from '../../core/database/database.js';
import { Conflict } from '../../core/values/errors.js';
import { claimPath } from '../namespaces/claim-path.js';
import { Namespace } from '../namespaces/namespace.entity.js';
import type { UserProfile as Profile } from './user.entity.js';
import { User, UserProfile } from './user.entity.js';

export type ProfileValues = Omit<Profile, 'id' | 'user_id'>;

export interface NewUser {
  username: string;
  name: string;
  email: string;
  public_email?: string | null;
  admin?: boolean;
  auditor?: boolean;
  external?: boolean;
  bot?: boolean;
  internal?: boolean;
  password_digest?: string | null;
  created_by_id?: number | null;
  profile?: Partial<ProfileValues>;
}

/** Default limit of personal projects and permission to create groups, unless set by an administrator. */
export const DEFAULT_RIGHTS = { projects_limit: 100_000, can_create_group: true } as const;

const NEW_PROFILE: ProfileValues = {
  ...DEFAULT_RIGHTS,
  bio: '',
  location: '',
  linkedin: '',
  twitter: '',
  discord: '',
  github: '',
  website_url: '',
  organization: '',
  job_title: '',
  pronouns: null,
  private_profile: false,
  note: null,
  allow_possible_spam: false,
  commit_email: null,
  theme_id: 1,
  color_scheme_id: 1,
};

/** The error for a unique index that a write of a user ran into; anything else is thrown as it came. */
export function userConflict(error: unknown): Conflict {
  const constraint = violatedConstraint(error);
  if (constraint === 'users_email') return new Conflict('Email has already been taken');
  if (constraint === 'users_username') return new Conflict('Username has already been taken');
  throw error;
}

/**
 * Stores a user and their personal namespace. Runs in the caller's transaction.
 * @throws Conflict if the email address is taken, or the name is taken by a user or group
 */
export async function insertUser(ctx: Context, attributes: NewUser): Promise<User & { namespace_id: number }> {
  const now = ctx.clock.now();
  const { profile, ...account } = attributes;
  const values = {
    public_email: null,
    password_digest: null,
    state: 'active',
    admin: false,
    auditor: false,
    external: false,
    bot: false,
    internal: false,
    created_by_id: null,
    avatar: null,
    // Nothing is sent to the address, so there is nothing to wait for.
    confirmed_at: now,
    current_sign_in_at: null,
    last_sign_in_at: null,
    last_activity_on: null,
    ...account,
    created_at: now,
    updated_at: now,
  };
  const id = await ctx.em.insert(User, values).catch((error: unknown) => {
    throw userConflict(error);
  });
  await ctx.em.insert(UserProfile, { ...NEW_PROFILE, ...profile, user_id: id });
  const namespaceId = await ctx.em.insert(Namespace, {
    kind: 'user',
    name: attributes.name,
    path: attributes.username,
    description: '',
    visibility: 'public',
    parent_id: null,
    traversal_ids: [],
    owner_id: id,
    frozen: false,
    archived: false,
    avatar: null,
    created_at: now,
    updated_at: now,
  });
  await ctx.em.nativeUpdate(Namespace, { id: namespaceId }, { traversal_ids: [namespaceId] });
  const claimed = await claimPath(
    ctx,
    { namespace_id: namespaceId },
    { path: attributes.username, name: attributes.name },
  );
  if (!claimed) throw new Conflict('Username has already been taken');
  return { id, ...values, namespace_id: namespaceId };
}
