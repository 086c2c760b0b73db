import { FILTERED, SECRET_KEY, secretsIn, withoutSecrets } from '../pg-boss/job-error.js';

/** Bytes of a value that are shown at most (jobs-admin.md section 5). */
const MAX_BYTES = 32 * 1024;

/** Values nest deeper in no job of ours; what does is not shown. */
const DEEPEST = 32;

/** A value as administrators see it. */
export interface RedactedValue {
  /** As it is, without secrets; the begin of its JSON text where that is longer than is shown. */
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
 * A value of a job as it may be shown: without what stands below keys that name secrets, what looks like one, and the
 * job's own secrets wherever they stand; cut after that, so that no cut leaves half of a secret.
 * @param payload what the job carries: in it are its secrets
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

/** A text of a job in the same way; what is stored of errors is short already. */
export const redactText = (text: string | null, payload: unknown): string | null =>
  text === null ? null : withoutSecrets(text, secretsIn(payload));
