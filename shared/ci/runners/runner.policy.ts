import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import type { FoundRunner } from './found-runner.js';

/** Maintainers of any project that it is assigned to, and of its group. */
const belongsToThem = (caller: UserOrAnonymous, runner: FoundRunner): boolean =>
  roleIn(caller, runner, 'maintainer') || runner.maintained;

/**
 * Permissions on a runner (ci-execution.md section 9). Its owner: the administrators of the instance, the Owners of its
 * group, or the Maintainers of the project that it was first assigned to.
 */
export const runnerPolicy = policy({
  /** What an instance runner is may know whoever is signed in, since it serves everybody. */
  read_runner: (caller: UserOrAnonymous, runner: FoundRunner) =>
    runner.runner_type === 'instance_type' ? !caller.anonymous : belongsToThem(caller, runner),
  /** Its programs, with their addresses, and its jobs. */
  read_runner_work: belongsToThem,
  update_runner: (caller: UserOrAnonymous, runner: FoundRunner) =>
    roleIn(caller, runner, runner.runner_type === 'group_type' ? 'owner' : 'maintainer'),
});
