import { boolean, wholeNumber } from '../../core/operations/fields.js';
import { setting } from '../../core/context/settings-store.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const seconds = (fallback: number, docs: string) => setting(wholeNumber(1, 2_147_483_647), fallback, docs);

/** Settings of handing out jobs to runners, and of jobs that the service ends by itself. */
export const jobSettings = {
  built_in_runner: setting(
    boolean(),
    true,
    'If `true`, `npm start` also runs jobs on its own machine, where it can keep them apart from it.',
  ),
  ci_long_poll_seconds: setting(
    wholeNumber(0, 50),
    50,
    'Seconds that the request of a runner waits for a job; 0 answers at once.',
  ),
  ci_two_phase_job_commit: setting(
    boolean(),
    true,
    'If `true`, a job is running only once its runner reports that it has it, where the runner can do so.',
  ),
  ci_job_acknowledgement_seconds: seconds(
    9,
    'Seconds that a runner has to report that it has a job; after them the job is queued again.',
  ),
  ci_stuck_pending_seconds: seconds(24 * HOUR, 'Seconds after which a pending job that a runner could take fails.'),
  ci_stuck_pending_without_runner_seconds: seconds(
    HOUR,
    'Seconds after which a pending job that no runner could take fails.',
  ),
  ci_silent_job_seconds: seconds(HOUR, 'Seconds after which a running job fails whose runner sends nothing about it.'),
  ci_silent_runner_seconds: seconds(
    10 * MINUTE,
    'Seconds after which a running job fails whose runner sends nothing at all.',
  ),
  ci_silent_canceling_seconds: seconds(
    30 * MINUTE,
    'Seconds after which a job that is being canceled is canceled though its runner sends nothing.',
  ),
  ci_timeout_grace_seconds: seconds(
    15 * MINUTE,
    'Seconds after the timeout of a job within which its runner must report its end.',
  ),
};
