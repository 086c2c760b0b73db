import { randomInt } from 'node:crypto';
import { onUniqueViolation } from '../../core/values/database-errors.js';
import { Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';

const MAX_NAME = 255;
const MAX_URL = 255;
const MAX_DESCRIPTION = 10_000;
const MAX_NAMESPACE = 63;
const MAX_FLUX_PATH = 255;

const TAKEN = 'has already been taken';
const WRONG_NAME =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'";
const NAME = /^[\w${}. -]([\w/${}. -]*[\w${}. -])?$/;
const NAMESPACE = /^[a-z\d]([-a-z\d]*[a-z\d])?$/;

/** Another environment of the project has the name; its slug too, where that is the name itself. */
export const environmentTakenError = (withSlug: boolean): Invalid =>
  new Invalid({ name: [TAKEN], ...(withSlug ? { slug: [TAKEN] } : {}) });

onUniqueViolation('environments_name', () => environmentTakenError(false));
onUniqueViolation('environments_slug', () => new Invalid({ slug: [TAKEN] }));

const isTooLong = (value: string, most: number) => value.length > most && [...value].length > most;
const tooLong = (most: number) => `is too long (maximum is ${most} characters)`;

function nameProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.trim() === '') problems.push("can't be blank");
  if (isTooLong(name, MAX_NAME)) problems.push(tooLong(MAX_NAME));
  if (!NAME.test(name)) problems.push(WRONG_NAME);
  return problems;
}

function urlProblems(url: string): string[] {
  const problems = isTooLong(url, MAX_URL) ? [tooLong(MAX_URL)] : [];
  // The parser passes over blanks and control characters.
  if (!URL.canParse(url) || /[\s\p{Cc}]/u.test(url)) {
    const hasScheme = /^https?:\/\//i.test(url);
    problems.push(`is blocked: ${hasScheme ? 'URI is invalid' : 'Only allowed schemes are http, https'}`);
  } else if (!/^https?:$/.test(new URL(url).protocol))
    problems.push('is blocked: Only allowed schemes are http, https');
  return problems;
}

function namespaceProblems(namespace: string): string[] {
  if (isTooLong(namespace, MAX_NAMESPACE)) return [tooLong(MAX_NAMESPACE)];
  return NAMESPACE.test(namespace)
    ? []
    : ["can contain only lowercase letters, digits, and '-'. Must start and end with an alphanumeric character"];
}

const lengthProblems = (most: number) => (value: string) => (isTooLong(value, most) ? [tooLong(most)] : []);

/** Environment attributes in a request; null or empty clears any attribute except the name. */
interface EnvironmentValues {
  name?: string | undefined;
  external_url?: string | null | undefined;
  description?: string | null | undefined;
  kubernetes_namespace?: string | null | undefined;
  flux_resource_path?: string | null | undefined;
}

const RULES: Readonly<Record<keyof EnvironmentValues, (value: string) => string[]>> = {
  name: nameProblems,
  external_url: urlProblems,
  description: lengthProblems(MAX_DESCRIPTION),
  kubernetes_namespace: namespaceProblems,
  flux_resource_path: lengthProblems(MAX_FLUX_PATH),
};

/**
 * The values as stored: blank values become null, omitted ones are left out.
 * @throws Invalid with all validation errors (delivery-resources.md section 1)
 */
export function readEnvironmentValues<V extends EnvironmentValues>(input: V): V {
  const problems: Problems = {};
  const values: Record<string, unknown> = {};
  for (const [key, check] of Object.entries(RULES) as [keyof EnvironmentValues, (value: string) => string[]][]) {
    const value = input[key];
    if (value === undefined) continue;
    const isBlank = value === null || value.trim() === '';
    values[key] = isBlank && key !== 'name' ? null : value;
    const wrong = isBlank && key !== 'name' ? [] : check(value ?? '');
    if (wrong.length > 0) problems[key] = wrong;
  }
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
  return values as V;
}

const MAX_LENGTH = 24;
const MAX_BEFORE_SUFFIX = 17;
const SUFFIX_LENGTH = 6;
const SUFFIX_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

const suffix = () => Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_CHARACTERS[randomInt(36)]).join('');

/**
 * The name of an environment for use in host names: lower-case letters, digits and single `-`, begins with a letter,
 * does not end with `-`, at most 24 characters (delivery-resources.md section 1). If it differs from the name itself,
 * it ends in random characters to be unique.
 */
export function environmentSlug(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z\d]/g, '-');
  const begun = /^[a-z]/.test(plain) ? plain : `env-${plain}`;
  const slug = begun.replaceAll(/-+/g, '-').slice(0, MAX_LENGTH).replace(/-$/, '');
  if (slug === name) return slug;
  return `${slug.slice(0, MAX_BEFORE_SUFFIX).replace(/-$/, '')}-${suffix()}`;
}

/** The deployment tier of an environment. */
export const ENVIRONMENT_TIERS = ['production', 'staging', 'testing', 'development', 'other'] as const;
export type EnvironmentTier = (typeof ENVIRONMENT_TIERS)[number];

/** Name patterns for guessing the tier; the first match decides. */
const GUESSES: readonly [RegExp, EnvironmentTier][] = [
  [/dev|review|trunk/i, 'development'],
  [/test|tst|int|acpt|accept|qa|qc|control|quality/i, 'testing'],
  [/stg|stag|modl|model|pre|demo|non/i, 'staging'],
  [/prd|prod|live/i, 'production'],
];

/** The tier that the name of an environment speaks of (delivery-resources.md section 1); `other` for none. */
export function guessTier(name: string): EnvironmentTier {
  return GUESSES.find(([message]) => message.test(name))?.[1] ?? 'other';
}
