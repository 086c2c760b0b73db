import type { z } from 'zod';
import { avatarParam } from '../../instance/avatars/avatars.js';
import { clearableText, boolean, integer, optional, text } from '../../core/operations/fields.js';

const said = (description: string) => text().optional().describe(description);

/** What administrators may say about a user when they make one or edit one (core-resources.md section 1). */
export const userParams = {
  admin: optional(boolean()).describe('Whether the user is an administrator.'),
  auditor: optional(boolean()).describe(
    'Whether the user reads what administrators read of jobs, and changes nothing.',
  ),
  external: optional(boolean()).describe('External users see internal projects and groups only as members.'),
  public_email: clearableText().describe("The user's address, to be shown to everybody."),
  commit_email: clearableText().describe('The address for commits.'),
  bio: said('About the user.'),
  location: said('Where the user is.'),
  linkedin: said('LinkedIn name.'),
  twitter: said('X name.'),
  discord: said('Discord id.'),
  github: said('GitHub name.'),
  website_url: said('An http or https URL.'),
  organization: said('Organization.'),
  job_title: said('Job title.'),
  pronouns: clearableText().describe('Pronouns.'),
  private_profile: optional(boolean()).describe('Whether others see the summary only.'),
  note: clearableText().describe('A note for administrators.'),
  can_create_group: optional(boolean()).describe('Whether the user may make top-level groups.'),
  allow_possible_spam: optional(boolean()).describe('Whether texts of the user pass that look like spam.'),
  projects_limit: optional(integer()).describe('Projects at most in the personal namespace.'),
  theme_id: optional(integer()).describe('Number of the theme.'),
  color_scheme_id: optional(integer()).describe('Number of the colours of code.'),
  avatar: avatarParam(),
  provider: optional(text()).describe('Another provider that knows the user; with `extern_uid`.'),
  extern_uid: optional(text()).describe('As whom it knows the user.'),
  skip_confirmation: optional(boolean()).describe('Taken; no address waits for confirmation here.'),
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
