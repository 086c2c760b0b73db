import { createRequire } from 'node:module';
import type { dictionary as dictionaries } from '@zxcvbn-ts/language-common';

const require = createRequire(import.meta.url);
let known: Set<string> | undefined;

/**
 * Whether a password is among the fifty thousand that people choose most, whatever its case: the first that are tried.
 * The list is loaded when it is first asked for, since most processes never do.
 */
export function isCommonPassword(password: string): boolean {
  if (!known) {
    const { dictionary } = require('@zxcvbn-ts/language-common') as {
      dictionary: typeof dictionaries;
    };
    known = new Set(dictionary['passwords-common']);
  }
  return known.has(password.toLowerCase());
}
