import type { Job } from './queries.js';

/** Why a job failed: what happened, and what can be done. */
interface FailureReason {
  what: string;
  next: string;
}

/** What the API says of a failed job: `failed: A command of the script failed. Read the end of the log.` */
export function getFailure({ detailed_status: status }: Pick<Job, 'detailed_status'>): FailureReason {
  const { tooltip } = status as { tooltip: string };
  const [what = tooltip, ...next] = tooltip.replace(/^failed: /, '').split(/(?<=\.) /);
  return { what, next: next.join(' ') };
}

const PIPELINE_REASONS: Readonly<Record<string, string>> = {
  config_error: 'The configuration file is not valid, so no job was created.',
  filtered_by_rules: 'No rule of the configuration file matched, so no job was created.',
  filtered_by_workflow_rules: 'The workflow rules of the configuration file do not allow this pipeline.',
  user_blocked: 'The user of the pipeline is blocked.',
  user_not_verified: 'The user of the pipeline is not verified.',
  size_limit_exceeded: 'The configuration file has more jobs than a pipeline may have.',
  job_activity_limit_exceeded: 'The project has more active jobs than it may have.',
  external_validation_failure: 'An external check refused the pipeline.',
};

/** What a failure reason of a pipeline means. */
export const describePipelineFailure = (reason: string): string =>
  PIPELINE_REASONS[reason] ?? `The pipeline failed: ${reason.replaceAll('_', ' ')}.`;
