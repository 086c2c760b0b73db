import type { z } from 'zod';
import { avatarParam } from '../../instance/avatars/avatars.js';
import { clearableText, boolean, integer, optional, text } from '../../core/operations/fields.js';

const said = (description: string) => text().optional().describe(description);

/** What administrators may say about a user when they make one or edit one (core-resources.md section 1). */
export const userParams = {
  admin: optional(boolean()).describe('If `true`, the user is an administrator.'),
  auditor: optional(boolean()).describe(
    'If `true`, the user can read what administrators can read of jobs, and change nothing.',
  ),
  external: optional(boolean()).describe(
    'If `true`, the user is external, and sees internal projects and groups only as a member.',
  ),
  public_email: clearableText().describe('Email address of the user that is visible to everybody.'),
  commit_email: clearableText().describe('Email address of the user for commits.'),
  bio: said('About the user.'),
  location: said('Location of the user.'),
  linkedin: said('LinkedIn account of the user.'),
  twitter: said('X (formerly Twitter) account of the user.'),
  discord: said('Discord account ID of the user.'),
  github: said('GitHub account of the user.'),
  website_url: said('An http or https URL.'),
  organization: said('Organization of the user.'),
  job_title: said('Job title of the user.'),
  pronouns: clearableText().describe('Pronouns of the user.'),
  private_profile: optional(boolean()).describe('If `true`, other users see only the summary of the user.'),
  note: clearableText().describe('Note about the user for administrators.'),
  can_create_group: optional(boolean()).describe('If `true`, the user can create top-level groups.'),
  allow_possible_spam: optional(boolean()).describe('If `true`, accepts texts of the user that resemble spam.'),
  projects_limit: optional(integer()).describe('Maximum number of projects in the personal namespace.'),
  theme_id: optional(integer()).describe('ID of the theme of the user.'),
  color_scheme_id: optional(integer()).describe('ID of the colour scheme for code.'),
  avatar: avatarParam(),
  provider: optional(text()).describe(
    'Name of the external provider that the user has an identity at; used with `extern_uid`.',
  ),
  extern_uid: optional(text()).describe('ID of the user at the external `provider`.'),
  skip_confirmation: optional(boolean()).describe(
    'Accepted without effect; no email address requires confirmation here.',
  ),
};

const PROFILE_FIELDS = [
  'bio',
  'location',
  'linkedin',
  'twitter',
  'discord',
  'github',
  'website_url',
  'organization',
  'job_title',
  'pronouns',
  'private_profile',
  'note',
  'can_create_group',
  'allow_possible_spam',
  'projects_limit',
  'commit_email',
  'theme_id',
  'color_scheme_id',
] as const;

type Input = z.output<z.ZodObject<typeof userParams>>;

/** The values that were sent, `""` cleared where nothing is null. */
function sent<K extends keyof Input>(input: Input, fields: readonly K[]): { [F in K]?: Exclude<Input[F], undefined> } {
  return Object.fromEntries(
    fields.filter((field) => input[field] !== undefined).map((field) => [field, input[field]]),
  ) as never;
}

/** The part of the input that is stored in the profile. */
export const profileValues = (input: Input) => {
  const values = sent(input, PROFILE_FIELDS);
  return values.commit_email === '' ? { ...values, commit_email: null } : values;
};

/** The part of the input that is stored with the user itself. */
export const accountValues = (input: Input) => {
  const values = sent(input, ['admin', 'auditor', 'external', 'public_email']);
  return values.public_email === '' ? { ...values, public_email: null } : values;
};
