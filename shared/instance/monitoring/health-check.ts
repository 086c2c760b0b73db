import type { Services } from '../../core/context/context.js';

/** One finding of a check (operations.md section 1). */
export interface CheckEntry {
  status: 'ok' | 'failed';
  /** The problem, without addresses, users or passwords of the checked dependency. */
  message?: string;
  labels?: Record<string, string>;
}

/** Something that an instance needs to serve. */
export interface HealthCheck {
  /** As the answer of the readiness probe calls it. */
  name: `${string}_check`;
  /** Preloads dependencies before the check is timed, so that they do not delay the other checks. */
  prepare?(): Promise<unknown>;
  /** A dependency that is away is a finding, not an error. */
  run(services: Services): Promise<CheckEntry[]>;
}

/** A probe's response: the findings of each check by its name. */
export interface Readiness {
  status: 'ok' | 'failed';
  [check: string]: CheckEntry[] | string;
}

export const OK: CheckEntry = { status: 'ok' };

export const failed = (message: string): CheckEntry => ({ status: 'failed', message });

/** `ok` when each check has at least one entry that is. */
export function aggregate(checks: Readonly<Record<string, CheckEntry[]>>): Readiness {
  const ready = Object.values(checks).every((entries) => entries.some(({ status }) => status === 'ok'));
  return { status: ready ? 'ok' : 'failed', ...checks };
}

/** Runs checks concurrently. @throws the error of a failed check */
export async function runChecks(
  services: Services,
  checks: readonly HealthCheck[],
): Promise<Record<string, CheckEntry[]>> {
  for (const check of checks) await check.prepare?.();
  const found = await Promise.all(checks.map(async ({ name, run }) => [name, await run(services)] as const));
  return Object.fromEntries(found);
}

/** The message for a check that threw: its text may contain the URL of the dependency. */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return 'Error : unknown';
  return `${error.constructor.name} : ${error.message.replace(/[\w+.-]+:\/\/\S+/g, '[FILTERED]')}`;
}
