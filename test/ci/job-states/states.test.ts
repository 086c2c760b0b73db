import test from 'ava';
import { combineStatuses } from '../../../shared/ci/job-states/combine-statuses.js';
import { describeFailure } from '../../../shared/ci/job-states/describe-failure.js';
import { allowsFailure, isRetriedAutomatically } from '../../../shared/ci/job-states/retry-rules.js';
import { findSkippedFollowers } from '../../../shared/ci/job-states/skipped-followers.js';

/** `failed?` is a failed job that may fail, `manual?` one that nobody has to start. */
const SETS: readonly [jobs: string, status: string | null][] = [
  ['', null],
  ['skipped manual?', 'skipped'],
  ['success skipped manual?', 'success'],
  ['failed? canceled?', 'success'],
  ['created failed? manual?', 'created'],
  ['preparing', 'preparing'],
  ['canceled success failed?', 'canceled'],
  ['pending created skipped', 'pending'],
  ['pending success', 'running'],
  ['running failed', 'running'],
  ['waiting_for_resource manual scheduled success', 'waiting_for_resource'],
  ['manual scheduled created', 'manual'],
  ['scheduled preparing success', 'scheduled'],
  ['preparing success', 'preparing'],
  ['created success', 'running'],
  ['created canceling', 'running'],
  ['canceling success', 'canceling'],
  ['failed success', 'failed'],
  ['failed canceled', 'failed'],
  ['failed skipped', 'failed'],
];

const readSet = (text: string) =>
  text
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => ({ status: word.replace('?', ''), allow_failure: word.endsWith('?') }));

// Contract: ci-states.when
test('the state of a set of jobs is that of the first rule that fits', (t) => {
  for (const [jobs, status] of SETS) t.is(combineStatuses(readSet(jobs)), status, jobs);
});

const failed = { exit_code: 1, attempts: 0, scheduler_failures: 0 };
const retry = (max: number, when: string[] = ['always'], exit_codes: number[] = []) => ({ max, when, exit_codes });

// Contract: ci-states.retry
test('a failed job is tried again as often and after what its configuration says', (t) => {
  const is = (reason: string, rule: ReturnType<typeof retry> | null, more: object = {}) =>
    isRetriedAutomatically(rule, { ...failed, failure_reason: reason, ...more });
  t.false(is('script_failure', null));
  t.true(is('script_failure', retry(1)));
  t.false(is('script_failure', retry(1), { attempts: 1 }));
  t.false(is('script_failure', retry(2, ['runner_system_failure'])));
  t.true(is('no_updates_running', retry(1, ['stuck_or_timeout_failure'])));
  t.true(is('stuck_pending_no_matching_runners', retry(1, ['stuck_or_timeout_failure'])));
  t.true(is('server_timeout_running', retry(1, ['job_execution_timeout'])));
  t.true(is('script_failure', retry(1, [], [1, 2])));
  t.false(is('script_failure', retry(1, [], [3])));
  for (const never of ['missing_dependency_failure', 'user_blocked', 'builds_disabled', 'project_deleted'])
    t.false(is(never, retry(2)), never);
  t.true(is('scheduler_failure', null, { attempts: 1, scheduler_failures: 1 }));
  t.false(is('scheduler_failure', null, { attempts: 2, scheduler_failures: 2 }));
  t.true(is('script_failure', retry(1), { attempts: 2, scheduler_failures: 2 }));
});

// Contract: ci-states.allow-failure
test('a failure is allowed altogether, or with some exit codes', (t) => {
  t.true(allowsFailure(true, null));
  t.false(allowsFailure(false, 1));
  t.true(allowsFailure({ exit_codes: [137] }, 137));
  t.false(allowsFailure({ exit_codes: [137] }, null));
});

// Contract: ci-states.play
test('skipped jobs that follow from one that begins again are found through others, by needs and by stages', (t) => {
  const job = (id: number, name: string, stage_index: number, needs_jobs = false) => ({
    id,
    name,
    stage_index,
    needs_jobs,
    status: id === 1 ? 'manual' : 'skipped',
  });
  const jobs = [
    job(1, 'a', 1),
    job(2, 'b', 1, true),
    job(3, 'c', 1, true),
    job(4, 'd', 2),
    job(5, 'e', 0),
    job(6, 'f', 2, true),
  ];
  const needs = new Map([
    [2, ['c']],
    [3, ['a']],
    [6, ['e']],
  ]);
  t.deepEqual(findSkippedFollowers(jobs, needs, ['a']).sort(), [2, 3, 4]);
});

// Contract: ci-states.why-failed
test('each failure is described in a sentence, and one that is not known as such', (t) => {
  t.is(describeFailure('script_failure').sentence, 'A command of the script failed.');
  t.deepEqual(describeFailure('toString'), describeFailure('unknown_failure'));
});
