import type { UserOrAnonymous } from '../../core/context/callers.js';
import { administers } from '../../core/operations/container.js';
import { policy } from '../../core/operations/policy.js';
import type { Container } from '../../tenancy/containers/container.js';

/** Maintainers of a project, Owners of a group; also for reading. */
export const pushRulePolicy = policy({
  read_push_rule: (caller: UserOrAnonymous, container: Container) => administers(caller, container),
  change_push_rule: (caller: UserOrAnonymous, container: Container) => container.open && administers(caller, container),
});
