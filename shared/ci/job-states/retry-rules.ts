import type { AllowFailure, RetryConfig } from '../configuration-model/configuration.types.js';

/** After these, trying again would end in the same way. */
const NEVER_RETRIED = [
  'missing_dependency_failure',
  'user_blocked',
  'builds_disabled',
  'project_deleted',
  'no_matching_runner',
];

/** Reasons that `retry:when` names together. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  stuck_or_timeout_failure: [
    'stuck_or_timeout_failure',
    'stuck_pending_with_matching_runners',
    'stuck_pending_no_matching_runners',
    'no_updates_running',
    'no_updates_canceling',
    'runner_provisioning_timeout',
  ],
  job_execution_timeout: ['job_execution_timeout', 'server_timeout_running'],
};

/** A job that could not be handed out is tried again so often, whatever its configuration says. */
const SCHEDULER_RETRIES = 2;

/** How a job failed, and how often it was tried before. */
export interface FailedAttempt {
  failure_reason: string | null;
  exit_code: number | null;
  /** Earlier attempts, and those among them that could not be handed out. */
  attempts: number;
  scheduler_failures: number;
}

function isConfigured(
  { when, exit_codes: codes }: RetryConfig,
  { failure_reason: reason, exit_code: code }: FailedAttempt,
) {
  if (code !== null && codes.includes(code)) return true;
  return when.some(
    (name) => name === 'always' || (reason !== null && (FAMILIES[name]?.includes(reason) ?? name === reason)),
  );
}

/** Whether a job that failed is tried again by itself (ci-execution.md 4 and 8). */
export function isRetriedAutomatically(retry: RetryConfig | null, failed: FailedAttempt): boolean {
  const { failure_reason: reason, attempts, scheduler_failures: unscheduled } = failed;
  if (reason !== null && NEVER_RETRIED.includes(reason)) return false;
  if (reason === 'scheduler_failure' && unscheduled < SCHEDULER_RETRIES) return true;
  return retry !== null && attempts - unscheduled < retry.max && isConfigured(retry, failed);
}

/** Whether a job that ended with an exit code was allowed to fail so. */
export function allowsFailure(allowed: AllowFailure, exitCode: number | null): boolean {
  return typeof allowed === 'boolean' ? allowed : exitCode !== null && allowed.exit_codes.includes(exitCode);
}
