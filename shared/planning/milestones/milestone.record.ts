import type { Milestone } from './milestone.entity.js';

/** A milestone as a caller finds it. */
export interface MilestoneRecord extends Milestone {
  /** Of its project or group. */
  full_path: string;
}
