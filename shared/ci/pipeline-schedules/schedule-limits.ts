import type { Context } from '../../core/context/context.js';

export interface ScheduleLimits {
  /** Schedules of one project at most, inactive ones included; 0 is no limit. */
  perProject: number;
  /** Runs of one schedule a day at most; 0 is no limit. */
  runsPerDay: number;
}

/** What the instance allows (README decision 12). */
export function scheduleLimits(ctx: Context): ScheduleLimits {
  const { ci_pipeline_schedules: perProject, ci_daily_pipeline_schedule_triggers: runsPerDay } = ctx.settings;
  return { perProject, runsPerDay };
}
