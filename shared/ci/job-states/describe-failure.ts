/** Why a job failed, and what to do next: one sentence each. */
export interface FailureDescription {
  sentence: string;
  next: string;
}

const LOG = 'Read the end of the log.';
const RETRY = 'Retry the job.';
const RUNNERS = 'Look at the runners of the project.';

/** By failure reason (ci-execution.md 8 and 17). */
const DESCRIPTIONS: Readonly<Record<string, readonly [sentence: string, next: string]>> = {
  script_failure: ['A command of the script failed.', LOG],
  runner_system_failure: [
    'The runner failed, not the script.',
    `${RETRY} If it fails again, read the log of the runner.`,
  ],
  runner_interrupted: ['The runner was stopped while the job ran.', RETRY],
  runner_unsupported: ['The runner lacks a feature that the job needs.', 'Update the runner, or use another one.'],
  runner_configuration_error: ['The runner is not set up for this job.', 'Read the log, and correct the runner.'],
  runner_external_dependency_failure: ['Something outside that the runner needs did not answer.', RETRY],
  runner_provisioning_timeout: ['The runner took the job and never began it.', RETRY],
  image_pull_failure: [
    'The image of the job could not be pulled.',
    'Check the name of the image, and who may read it.',
  ],
  job_execution_timeout: ['The job ran longer than it may.', 'Make the job shorter, or raise its `timeout`.'],
  server_timeout_running: [
    'The job ran longer than it may, and its runner did not end it.',
    'Raise its `timeout`, or look at the runner.',
  ],
  server_timeout_canceling: ['The job was canceled, and its runner did not end it.', 'Look at the runner.'],
  no_updates_running: [
    'Nothing was heard of the job any more.',
    'Check that its runner still runs, and retry the job.',
  ],
  no_updates_canceling: ['Nothing was heard of the job after it was canceled.', 'Check that its runner still runs.'],
  stuck_pending_with_matching_runners: [
    'No runner had time for the job.',
    'Add runners, or let them run more jobs at once.',
  ],
  stuck_pending_no_matching_runners: [
    'No runner could take the job.',
    `${RUNNERS} Their tags and protection must fit the job.`,
  ],
  no_matching_runner: ['No runner could take the job.', `${RUNNERS} Their tags and protection must fit the job.`],
  stale_schedule: ['The job was delayed, and its time had long passed.', RETRY],
  trace_size_exceeded: ['The log became too long.', 'Write less to the log, or write it to a file.'],
  missing_dependency_failure: ['What an earlier job made is not there any more.', 'Retry the earlier job first.'],
  user_blocked: ['The user of the job may not sign in any more.', 'Have another user retry the pipeline.'],
  builds_disabled: ['CI/CD is turned off in the project.', 'Turn it on in the settings of the project.'],
  project_deleted: ['The project is being deleted.', 'Restore the project to run its jobs.'],
  archived_failure: ['The project is archived.', 'Unarchive the project to run its jobs.'],
  scheduler_failure: [
    'The job was given to runners several times, and none of them began it.',
    `${RUNNERS} Then retry the job.`,
  ],
  data_integrity_failure: ['What the job consists of cannot be read.', 'Start a new pipeline.'],
  failed_outdated_deployment_job: [
    'A newer deployment was faster.',
    'Deploy the newer version, or allow outdated deployments.',
  ],
  protected_environment_failure: [
    'The user of the job may not deploy to the environment.',
    'Have it retried by somebody who may.',
  ],
  unmet_prerequisites: ['Something that the job needs could not be prepared.', RETRY],
  api_failure: ['A request of the runner to the service failed.', RETRY],
  unknown_failure: ['The job failed for a reason that is not known.', LOG],
};

/** What a failure reason means; of one that is not known, that it is not. */
export function describeFailure(reason: string): FailureDescription {
  const key = Object.hasOwn(DESCRIPTIONS, reason) ? reason : 'unknown_failure';
  const [sentence, next] = DESCRIPTIONS[key]!;
  return { sentence, next };
}
