import { createRequire } from 'node:module';
import type { dictionary as dictionaries } from '@zxcvbn-ts/language-common';
import type { Problems } from '../../core/values/errors.js';
import { Invalid } from '../../core/values/errors.js';
import { pathProblem } from '../namespaces/paths.js';
import type { ProfileValues } from './create-user.js';

const require = createRequire(import.meta.url);
let passwords: Set<string> | undefined;

/**
 * Whether a password is among the fifty thousand most common ones, case-insensitive, which attackers try first. The
 * list is loaded on first use, because most processes never need it.
 */
export function isCommonPassword(password: string): boolean {
  if (!passwords) {
    const { dictionary } = require('@zxcvbn-ts/language-common') as {
      dictionary: typeof dictionaries;
    };
    passwords = new Set(dictionary['passwords-common']);
  }
  return passwords.has(password.toLowerCase());
}

/** New values of a user; undefined keeps the current value. */
interface UserValues extends Partial<ProfileValues> {
  username?: string | undefined;
  name?: string | undefined;
  /** The address as it will be: others of the user's addresses are compared with it. */
  email: string;
  public_email?: string | null | undefined;
  password?: string | undefined;
}

const MAX_TEXT = 255;
const MAX_NOTE = 65_535;
const SHORT_TEXTS = [
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
] as const;

const tooLong = (max: number) => `is too long (maximum is ${max} characters)`;

function isWebUrl(text: string): boolean {
  try {
    return ['http:', 'https:'].includes(new URL(text).protocol);
  } catch {
    return false;
  }
}

function emailProblem(email: string): string | null {
  if (email.trim() === '') return "can't be blank";
  if (email.length > MAX_TEXT) return tooLong(MAX_TEXT);
  return /^[^@\s\p{C}]+@[^@\s\p{C}]+$/u.test(email) ? null : 'is invalid';
}

/** Spaces, control and format characters, and the letters that show as nothing (Hangul fillers, blank Braille). */
const INVISIBLE = /^[\s\p{Z}\p{C}\u{115f}\u{1160}\u{2800}\u{3164}\u{ffa0}]*$/u;

function nameProblem(name: string): string | null {
  if (INVISIBLE.test(name)) return "can't be blank";
  return [...name].length > MAX_TEXT ? tooLong(MAX_TEXT) : null;
}

function usernameProblem(username: string): string | null {
  const problem = pathProblem(username, 'top');
  return problem ?? (username.length < 2 ? 'is too short (minimum is 2 characters)' : null);
}

function passwordProblem(password: string): string | null {
  if ([...password].length < 8) return 'is too short (minimum is 8 characters)';
  if ([...password].length > 128) return tooLong(128);
  return isCommonPassword(password) ? 'must not contain commonly used combinations of words and letters' : null;
}

/** Only the account's own address is allowed; any other would let users claim an address that is not theirs. */
function ownAddressProblem(address: string | null | undefined, email: string): string | null {
  if (address === null || address === undefined || address === '') return null;
  return address.toLowerCase() === email.toLowerCase() ? null : 'is not an email you own';
}

/** Rules about a user's own values (core-resources.md section 1). @throws Invalid with every problem */
export function requireUserValues(values: UserValues): void {
  const problems: Problems = {};
  const note = (field: string, problem: string | null) => {
    if (problem !== null) problems[field] = [problem];
  };
  note('email', emailProblem(values.email));
  if (values.name !== undefined) note('name', nameProblem(values.name));
  if (values.username !== undefined) note('username', usernameProblem(values.username));
  if (values.password !== undefined) note('password', passwordProblem(values.password));
  note('public_email', ownAddressProblem(values.public_email, values.email));
  note('commit_email', ownAddressProblem(values.commit_email, values.email));
  for (const field of SHORT_TEXTS) {
    if ([...(values[field] ?? '')].length > MAX_TEXT) note(field, tooLong(MAX_TEXT));
  }
  if (values.website_url && !isWebUrl(values.website_url)) note('website_url', 'is not a valid URL');
  if ((values.note ?? '').length > MAX_NOTE) note('note', tooLong(MAX_NOTE));
  if (values.projects_limit !== undefined && (values.projects_limit < 0 || values.projects_limit > 2 ** 31 - 1))
    note(
      'projects_limit',
      values.projects_limit < 0 ? 'must be greater than or equal to 0' : 'must be less than or equal to 2147483647',
    );
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}
