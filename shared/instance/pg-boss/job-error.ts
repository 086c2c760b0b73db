/** The stored error of a failed attempt. */
export interface JobError {
  error_class: string;
  message: string;
  stack: string;
}

const MESSAGE_BYTES = 2 * 1024;
const STACK_BYTES = 8 * 1024;
const CLASS_CHARACTERS = 100;
export const FILTERED = '[FILTERED]';

/** Names of payload keys that hold secrets, matched as parts of a key (jobs-admin.md section 5). */
export const SECRET_KEY = /token|password|secret|authorization|variables|key/i;
/** Shorter secrets are not filtered, because they would match ordinary text. */
const SHORTEST_SECRET = 6;

/** What secrets look like that code did not expect in a text: credentials in URLs, of headers, and tokens. */
const PATTERNS: readonly [RegExp, string][] = [
  [/(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/@]{1,1000}@/gi, `$1${FILTERED}@`],
  [/\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi, `$1 ${FILTERED}`],
  [/\b((?:private[-_])?token|password|secret|authorization)(["']?\s*[=:]\s*["']?)[^\s"',;&]+/gi, `$1$2${FILTERED}`],
  [/\bgl[a-z]{2,8}-[\w-]{16,}/g, FILTERED],
];

/** Every text below a payload's keys that name secrets. */
export function secretsIn(payload: unknown, below = false, depth = 0): string[] {
  if (typeof payload === 'string') return below && payload.length >= SHORTEST_SECRET ? [payload] : [];
  if (typeof payload !== 'object' || payload === null || depth > 8) return [];
  return Object.entries(payload).flatMap(([key, value]) =>
    secretsIn(value, below || (!Array.isArray(payload) && SECRET_KEY.test(key)), depth + 1),
  );
}

/** Truncates a text to a number of UTF-8 bytes. Removes null characters, which PostgreSQL rejects. */
function cut(text: string, bytes: number): string {
  const clean = text.slice(0, bytes).replaceAll('\0', '').toWellFormed();
  const buffer = Buffer.from(clean);
  if (buffer.length <= bytes) return clean;
  // A character that was cut through is dropped.
  return buffer
    .subarray(0, bytes)
    .toString('utf8')
    .replace(/\uFFFD$/, '');
}

/** A text without the passed secrets and without anything that looks like one. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) clean = clean.replaceAll(secret, FILTERED);
  for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
  return clean;
}

/**
 * The stored form of an error: class, message (2 KiB) and stack (8 KiB), without secrets.
 * @param secrets texts to filter, in addition to anything that looks like a secret
 */
export function getJobError(error: unknown, secrets: readonly string[] = []): JobError {
  const problem = error instanceof Error ? error : new Error(String(error));
  // A secret that the cut went through would not be found any more.
  const read = (text: string, bytes: number) => cut(withoutSecrets(text.slice(0, bytes * 4), secrets), bytes);
  return {
    error_class: cut(problem.name || 'Error', CLASS_CHARACTERS),
    message: read(problem.message, MESSAGE_BYTES),
    stack: read(problem.stack ?? '', STACK_BYTES),
  };
}
