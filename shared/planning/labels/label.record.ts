import type { Label } from './label.entity.js';

/** A label as a caller finds it in a project or group. */
export interface LabelRecord extends Label {
  /** Its priority in the project that it was asked for in: 0 is the highest; null for none, and in groups. */
  priority: number | null;
  /** Whether the caller wants to be told of what gets it. */
  subscribed: boolean;
}
