import { randomInt } from 'node:crypto';

const MAX_LENGTH = 24;
const KEPT_BEFORE_SUFFIX = 17;
const SUFFIX_LENGTH = 6;
const SUFFIX_CHARACTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';

const suffix = () => Array.from({ length: SUFFIX_LENGTH }, () => SUFFIX_CHARACTERS[randomInt(36)]).join('');

/**
 * What an environment is called in host names: lower-case letters, digits and single `-`, begins with a letter, does not
 * end with `-`, at most 24 characters (delivery-resources.md section 1). Where that is not the name itself it ends in
 * random characters, so that no other has it.
 */
export function environmentSlug(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z\d]/g, '-');
  const begun = /^[a-z]/.test(plain) ? plain : `env-${plain}`;
  const slug = begun.replaceAll(/-+/g, '-').slice(0, MAX_LENGTH).replace(/-$/, '');
  if (slug === name) return slug;
  return `${slug.slice(0, KEPT_BEFORE_SUFFIX).replace(/-$/, '')}-${suffix()}`;
}
