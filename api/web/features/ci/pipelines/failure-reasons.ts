/** Why a job failed: what happened, and what can be done. */
interface FailureReason {
  what: string;
  next: string;
}

const LOG = 'Read the end of the log, correct the script or the code, and push again.';
const RETRY = 'Retry the job.';
const RUNNERS = 'Check the runners in the CI/CD settings.';

const REASONS: Readonly<Record<string, readonly [what: string, next: string]>> = {
  script_failure: ['A command of the script failed.', LOG],
  stuck_or_timeout_failure: ['The job waited or ran for too long.', RUNNERS],
  stuck_pending_with_matching_runners: [
    'No runner took the job in time, although some could.',
    'The runners may be busy: add another one, or retry the job later.',
  ],
  stuck_pending_no_matching_runners: [
    'There is no runner online that could take the job.',
    'Add or start a runner with the tags of the job, then retry it.',
  ],
  no_matching_runner: [
    'There is no runner that could take the job.',
    'Add a runner with the tags of the job, then retry it.',
  ],
  no_updates_running: ['The runner went silent while the job ran.', `See whether the runner still works. ${RETRY}`],
  server_timeout_running: ['The job ran longer than its timeout.', 'Make the job faster, or raise its `timeout`.'],
  job_execution_timeout: ['The job ran longer than its timeout.', 'Make the job faster, or raise its `timeout`.'],
  stale_schedule: ['The delayed job could not start within an hour of its time.', RETRY],
  trace_size_exceeded: ['The log is too large.', 'Let the script write less, or write to a file.'],
  missing_dependency_failure: [
    'What an earlier job made for this one is not there.',
    'Retry the earlier job first, then this one.',
  ],
  runner_system_failure: [
    'The runner had a problem of its own.',
    `${RETRY} If it fails again, read the log of the runner.`,
  ],
  runner_unsupported: ['The runner lacks something that the job needs.', 'Update the runner, or use another one.'],
  runner_configuration_error: ['The runner is not set up for this job.', 'Read the log: it says what is missing.'],
  runner_provisioning_timeout: ['The runner did not confirm that it has the job.', RETRY],
  runner_interrupted: ['The runner was stopped while the job ran.', RETRY],
  image_pull_failure: ['The image of the job could not be pulled.', 'Check the name of the image, and access to it.'],
  api_failure: ['The runner could not reach the service.', RETRY],
  user_blocked: ['The user of the job is blocked.', 'Have somebody else retry the job.'],
  builds_disabled: ['CI/CD is turned off for the project.', 'Turn it on in the settings of the project, then retry.'],
  project_deleted: ['The project is being deleted.', 'Restore the project, then retry the job.'],
  archived_failure: ['The project is archived, or the job is too old.', 'Start a new pipeline.'],
  scheduler_failure: ['The job was given to runners several times, and none kept it.', `${RUNNERS} ${RETRY}`],
  data_integrity_failure: ['What is stored of the job cannot be read.', 'Start a new pipeline.'],
  failed_outdated_deployment_job: [
    'A newer deployment to the same environment is done already.',
    'Nothing is to be done, unless you want the older version back.',
  ],
  protected_environment_failure: [
    'The environment is protected, and the user of the job may not deploy there.',
    'Have somebody start the job who may deploy to the environment.',
  ],
  unmet_prerequisites: ['Something that the job needs first could not be made.', RETRY],
  unknown_failure: ['The runner gave no reason.', LOG],
};

/** What a failure reason of a job means. */
export function describeFailure(reason: string | null): FailureReason {
  const [what, next] = REASONS[reason ?? 'unknown_failure'] ?? [
    `The job failed: ${(reason ?? '').replaceAll('_', ' ')}.`,
    LOG,
  ];
  return { what, next };
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
