import type { UserOrAnonymous } from '../../core/context/callers.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import type { Container } from '../../tenancy/containers/container.js';
import { featureOpen } from '../../tenancy/projects/project.policy.js';

/** Whether analytics are enabled for a container; for groups they always are. */
const analyticsOpen = (caller: UserOrAnonymous, container: Container): boolean =>
  container.kind === 'group' || featureOpen(caller, container.record, container.record.analytics_access_level);

/** Who reads DORA metrics (dora.md section 1): Reporters and above, of public projects and groups too. */
export const doraPolicy = policy({
  read_dora_metrics: (caller: UserOrAnonymous, container: Container) =>
    roleIn(caller, container, 'reporter') && analyticsOpen(caller, container),
});
