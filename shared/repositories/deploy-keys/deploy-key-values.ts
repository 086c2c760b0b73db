import { TAKEN, onUniqueViolation } from '../../core/values/database-errors.js';
import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import type { Problems } from '../../core/values/errors.js';

const MAX_TITLE = 255;

/** Problems with a key's values, under the public API's names. */
export const invalidKey = (problems: Problems): Invalid =>
  new Invalid(Object.fromEntries(Object.entries(problems).map(([name, texts]) => [`deploy_key.${name}`, texts])));

/** The key is in a project that the caller does not see, or in this one under another comment. */
export const keyTakenError = (): Invalid => invalidKey({ fingerprint_sha256: [TAKEN] });

// Validation found the key free; a concurrent request added it first.
onUniqueViolation('deploy_keys_fingerprint', keyTakenError);

/** Problems with a title. */
export function titleProblems(title: string): Problems {
  if (title.trim() === '') return { title: ["can't be blank"] };
  if (title.length > MAX_TITLE && [...title].length > MAX_TITLE)
    return { title: [`is too long (maximum is ${MAX_TITLE} characters)`] };
  return {};
}

/** Problems with the expiry date of a new key. */
export function expiryProblems(ctx: Context, expiresAt: Date | null | undefined): Problems {
  return expiresAt instanceof Date && expiresAt <= ctx.clock.now() ? { key: ['has expired'] } : {};
}
