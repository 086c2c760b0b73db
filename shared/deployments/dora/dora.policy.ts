import type { UserOrAnonymous } from '../../core/callers.js';
import { policy, roleIn } from '../../core/policy.js';
import type { Container } from '../../tenancy/containers/container.js';

/** Who reads DORA metrics (dora.md section 1): Reporters and above, of public projects and groups too. */
export const doraPolicy = policy({
  read_dora_metrics: (caller: UserOrAnonymous, container: Container) => roleIn(caller, container, 'reporter'),
});
