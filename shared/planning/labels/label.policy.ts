import { policy } from '../../core/operations/policy.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import type { Container } from '../../tenancy/containers/container.js';
import { readsPlanning, writesPlanning } from '../../tenancy/containers/planning-rights.js';

/** Permissions on the labels of a project or group (core-resources.md section 8). */
export const labelPolicy = policy({
  read_label: readsPlanning,
  create_label: writesPlanning,
  update_label: writesPlanning,
  destroy_label: writesPlanning,
  /** Signed-in users who can read it. */
  subscribe_label: (caller: UserOrAnonymous, container: Container) =>
    !caller.anonymous && readsPlanning(caller, container),
});
