import { FILTERED, SECRET_KEY, secretsIn, withoutSecrets } from '../pg-boss/job-error.js';

/** Maximum bytes of a value to show (jobs-admin.md section 5). */
const MAX_BYTES = 32 * 1024;

/** None of our jobs nests values deeper; deeper ones are not shown. */
const DEEPEST = 32;

/** A value as administrators see it. */
export interface RedactedValue {
  /** Unchanged except for secrets; the beginning of its JSON text if it is longer than the limit. */
  value: unknown;
  truncated: boolean;
}

function clean(value: unknown, secrets: readonly string[], depth = 0): unknown {
  if (typeof value === 'string') return withoutSecrets(value, secrets);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return FILTERED;
  if (Array.isArray(value)) return value.map((item) => clean(item, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      withoutSecrets(key, secrets),
      SECRET_KEY.test(key) ? FILTERED : clean(item, secrets, depth + 1),
    ]),
  );
}

/**
 * A value of a job for display: without the contents of keys that denote secrets, without anything that looks like a
 * secret, and without the job's own secrets anywhere; truncated afterwards, so that no part of a secret remains.
 * @param payload the job's payload, which contains its secrets
 */
export function redacted(value: unknown, payload: unknown): RedactedValue {
  const secrets = secretsIn(payload);
  const safe = clean(value, secrets);
  const text = JSON.stringify(safe) ?? 'null';
  if (Buffer.byteLength(text) <= MAX_BYTES) return { value: safe, truncated: false };
  const cut = Buffer.from(text)
    .subarray(0, MAX_BYTES)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
  return { value: cut, truncated: true };
}

/** Redacts a text of a job in the same way; stored errors are already short. */
export const redactText = (text: string | null, payload: unknown): string | null =>
  text === null ? null : withoutSecrets(text, secretsIn(payload));
