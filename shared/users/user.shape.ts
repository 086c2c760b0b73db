import { out, shape } from '../core/shape.js';
import type { User } from './user.entity.js';

export type UserSummary = Pick<User, 'id' | 'username' | 'name' | 'public_email' | 'state'>;

/** How a user is named inside other records (rest-conventions.md section 9). */
export const userSummary = shape<UserSummary>('UserSummary', {
  id: out.integer((user) => user.id),
  username: out.text((user) => user.username),
  public_email: out.text((user) => user.public_email ?? ''),
  name: out.text((user) => user.name),
  state: out.text((user) => user.state),
  locked: out.flag(() => false),
  avatar_url: out.maybeText(() => null),
  web_url: out.text((user, ctx) => `${ctx.config.externalUrl}/${user.username}`),
});

/** One's own record (core-resources.md section 1, "Self"). */
export const currentUserShape = shape<User & { namespace_id: number | null }>('CurrentUser', {
  ...userSummary.fields,
  created_at: out.instant((user) => user.created_at),
  bio: out.text(() => ''),
  location: out.text(() => ''),
  linkedin: out.text(() => ''),
  twitter: out.text(() => ''),
  discord: out.text(() => ''),
  website_url: out.text(() => ''),
  github: out.text(() => ''),
  organization: out.text(() => ''),
  job_title: out.text(() => ''),
  pronouns: out.maybeText(() => null),
  bot: out.flag((user) => user.bot),
  work_information: out.maybeText(() => null),
  followers: out.integer(() => 0),
  following: out.integer(() => 0),
  is_followed: out.flag(() => false),
  local_time: out.maybeText(() => null),
  last_sign_in_at: out.maybeInstant(() => null),
  confirmed_at: out.maybeInstant((user) => user.created_at),
  last_activity_on: out.maybeDay(() => null),
  email: out.text((user) => user.email),
  theme_id: out.integer(() => 1),
  color_scheme_id: out.integer(() => 1),
  projects_limit: out.integer(() => 100_000),
  current_sign_in_at: out.maybeInstant(() => null),
  identities: out.any(() => [], { type: 'array', items: { type: 'object' } }),
  can_create_group: out.flag(() => true),
  can_create_project: out.flag(() => true),
  two_factor_enabled: out.flag(() => false),
  external: out.flag((user) => user.external),
  private_profile: out.flag(() => false),
  commit_email: out.text((user) => user.email),
  preferred_language: out.text(() => 'en'),
  namespace_id: out.maybeInteger((user) => user.namespace_id),
  is_admin: out.flag((user) => (user.admin ? true : undefined), { optional: true }),
  note: out.maybeText((user) => (user.admin ? null : undefined), { optional: true }),
});
