import type { Context } from '../core/context.js';

export interface ScheduleLimits {
  /** Schedules of one project at most, inactive ones included; 0 is no limit. */
  perProject: number;
  /** Runs of one schedule a day at most; 0 is no limit. */
  runsPerDay: number;
}

/** The limits of the instance (README decision 12): 10 schedules a project and no limit on runs unless it says otherwise. */
export function scheduleLimits(_ctx: Context): ScheduleLimits {
  return { perProject: 10, runsPerDay: 0 };
}
