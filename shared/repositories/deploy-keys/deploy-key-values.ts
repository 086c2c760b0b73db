import { TAKEN, onUniqueViolation } from '../../core/values/database-errors.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';

const MAX_TITLE = 255;

/** What is wrong with values of a key, under the names that the public API has for them. */
export const invalidKey = (problems: Problems): Invalid =>
  new Invalid(Object.fromEntries(Object.entries(problems).map(([name, texts]) => [`deploy_key.${name}`, texts])));

/** The key is in a project that the caller does not see, or in this one under another comment. */
export const keyTakenError = (): Invalid => invalidKey({ fingerprint_sha256: [TAKEN] });

// Looked for before; somebody who added the same key at the same instant was quicker.
onUniqueViolation('deploy_keys_fingerprint', keyTakenError);

/** What is wrong with a title. */
export function titleProblems(title: string): Problems {
  if (title.trim() === '') return { title: ["can't be blank"] };
  if (title.length > MAX_TITLE && [...title].length > MAX_TITLE)
    return { title: [`is too long (maximum is ${MAX_TITLE} characters)`] };
  return {};
}

/** What is wrong with the end of a new key. */
export function expiryProblems(ctx: Context, expiresAt: Date | null | undefined): Problems {
  return expiresAt instanceof Date && expiresAt <= ctx.clock.now() ? { key: ['has expired'] } : {};
}
