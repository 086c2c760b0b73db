/** Why runners say that a job failed. */
export const RUNNER_FAILURE_REASONS: readonly string[] = [
  'script_failure',
  'runner_system_failure',
  'job_execution_timeout',
  'image_pull_failure',
  'runner_configuration_error',
  'runner_external_dependency_failure',
  'runner_interrupted',
  'runner_unsupported',
  'unknown_failure',
];

/** A reason as it is stored: what no runner may say is unknown. */
export const readFailureReason = (sent: string | null | undefined): string =>
  sent && RUNNER_FAILURE_REASONS.includes(sent) ? sent : 'unknown_failure';
