import { policy } from '../../core/operations/policy.js';
import { readsPlanning, writesPlanning } from '../../tenancy/containers/planning-rights.js';

/** Permissions on the milestones of a project or group (core-resources.md section 8). */
export const milestonePolicy = policy({
  read_milestone: readsPlanning,
  create_milestone: writesPlanning,
  update_milestone: writesPlanning,
  destroy_milestone: writesPlanning,
});
