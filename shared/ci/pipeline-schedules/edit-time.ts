import type { Context } from '../../core/context/context.js';
import { PipelineSchedule } from './pipeline-schedule.entity.js';

/** When a schedule is edited: after every edit before, so that `unchanged_since` tells who saw what was there then. */
export const editTime = (before: Date, now: Date): Date => (now > before ? now : new Date(before.getTime() + 1));

/** Notes that what belongs to a schedule changed: whoever edits the schedule meanwhile is told (decision 81). */
export async function noteEdit(ctx: Context, { id, updated_at }: { id: number; updated_at: Date }): Promise<void> {
  await ctx.em.nativeUpdate(PipelineSchedule, { id }, { updated_at: editTime(updated_at, ctx.clock.now()) });
}
