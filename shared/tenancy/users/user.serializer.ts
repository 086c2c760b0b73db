import type { UserRecord, UserSummary } from './user.entity.js';
import { avatarUrl } from '../../instance/avatars/avatars.js';
import { out, serializer, visibleIf } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { attributesField, attributesView } from '../containers/custom-attribute.serializer.js';
import type { UserIdentity } from './user-relations.entity.js';
import { follows, identities, personalProjects, userLoads } from './user.loads.js';
import { userPolicy } from './user.policy.js';

/** A user as embedded in other records (rest-conventions.md section 9). */
export const userSummary = serializer<UserSummary>('UserSummary', {
  id: out.integer((user) => user.id),
  username: out.text((user) => user.username),
  public_email: out.text((user) => user.public_email ?? ''),
  name: out.text((user) => user.name),
  state: out.text((user) => user.state),
  locked: out.boolean(() => false),
  avatar_url: out.nullableText((user, ctx) => avatarUrl(ctx, { kind: 'user', id: user.id }, user.avatar)),
  web_url: out.text((user, ctx) => `${ctx.config.externalUrl}/${user.username}`),
});

/**
 * Fields visible to all signed-in users. Constant in the full record: `locked` (wrong passwords slow an account down
 * but never lock it), `skype`, `local_time` (no time zone is stored), `two_factor_enabled` (there is no second factor)
 * and `preferred_language` (pages are in English).
 */
const profileFields: Record<string, OutField<UserRecord>> = {
  created_at: out.instant((user) => user.created_at),
  bio: out.text((user) => user.profile.bio),
  location: out.text((user) => user.profile.location),
  // Gone from the public API; older clients still expect the key.
  skype: out.text(() => ''),
  linkedin: out.text((user) => user.profile.linkedin),
  twitter: out.text((user) => user.profile.twitter),
  discord: out.text((user) => user.profile.discord),
  website_url: out.text((user) => user.profile.website_url),
  github: out.text((user) => user.profile.github),
  organization: out.text((user) => user.profile.organization),
  job_title: out.text((user) => user.profile.job_title),
  pronouns: out.nullableText((user) => user.profile.pronouns),
  bot: out.boolean((user) => user.bot),
  work_information: out.nullableText(workInformation),
  followers: out.integer((user, ctx) => follows.of(user, ctx)?.followers ?? 0),
  following: out.integer((user, ctx) => follows.of(user, ctx)?.following ?? 0),
  is_followed: out.boolean((user, ctx) => follows.of(user, ctx)?.is_followed ?? false),
  local_time: out.nullableText(() => null),
};

/** `Engineer at Example`, or the one of both that is known. */
function workInformation({ profile }: UserRecord): string | null {
  const { job_title: title, organization } = profile;
  if (title && organization) return `${title} at ${organization}`;
  return title || organization || null;
}

/** A user's external identity. No directory or SAML service is connected, so the last key is always null. */
const identitySerializer = serializer<Pick<UserIdentity, 'provider' | 'extern_uid'>>('UserIdentity', {
  provider: out.text((identity) => identity.provider),
  extern_uid: out.text((identity) => identity.extern_uid),
  saml_provider_id: out.nullableInteger(() => null),
});

const detailFields: Record<string, OutField<UserRecord>> = {
  last_sign_in_at: out.nullableInstant((user) => user.last_sign_in_at),
  confirmed_at: out.nullableInstant((user) => user.confirmed_at),
  last_activity_on: out.nullableDay((user) => user.last_activity_on),
  email: out.text((user) => user.email),
  theme_id: out.integer((user) => user.profile.theme_id),
  color_scheme_id: out.integer((user) => user.profile.color_scheme_id),
  projects_limit: out.integer((user) => user.profile.projects_limit),
  current_sign_in_at: out.nullableInstant((user) => user.current_sign_in_at),
  identities: out.records(identitySerializer, (user, ctx) => identities.of(user, ctx) ?? []),
  can_create_group: out.boolean((user) => user.profile.can_create_group),
  can_create_project: out.boolean((user, ctx) => user.profile.projects_limit > (personalProjects.of(user, ctx) ?? 0)),
  two_factor_enabled: out.boolean(() => false),
  external: out.boolean((user) => user.external),
  private_profile: out.boolean((user) => user.profile.private_profile),
  commit_email: out.text((user) => user.profile.commit_email ?? user.email),
  preferred_language: out.text(() => 'en'),
  namespace_id: out.nullableInteger((user) => user.namespace_id),
};

/** What administrators see, of themselves too. */
const administratorFields = visibleIf<UserRecord>((user, ctx) => userPolicy.admin_user(ctx.caller, user), {
  is_admin: out.boolean((user) => user.admin),
  is_auditor: out.boolean((user) => user.auditor),
  note: out.nullableText((user) => user.profile.note),
  allow_possible_spam: out.boolean((user) => user.profile.allow_possible_spam),
  created_by: out.nullableRecord(userSummary, (user) => user.created_by),
  using_license_seat: out.boolean((user) => user.state === 'active' && !user.bot && !user.internal),
});

/** One's own record (core-resources.md section 1, "Self"). */
export const currentUserSerializer = serializer<UserRecord>(
  'CurrentUser',
  { ...userSummary.fields, ...profileFields, ...detailFields, ...administratorFields },
  { loads: userLoads },
);

/** A user as the caller may see them: the profile, and more for the user and for administrators. */
export const userSerializer = serializer<UserRecord>(
  'User',
  {
    ...userSummary.fields,
    ...visibleIf((user, ctx) => userPolicy.read_user_profile(ctx.caller, user), profileFields),
    ...visibleIf((user, ctx) => userPolicy.read_user_details(ctx.caller, user), detailFields),
    ...administratorFields,
    ...attributesField<UserRecord>('user'),
  },
  { loads: userLoads, views: attributesView<UserRecord>('user') },
);
