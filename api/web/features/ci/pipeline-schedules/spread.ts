/** Another time for a schedule that fires with very many others. */
export interface Proposal<T> {
  schedule: T;
  cron: string;
}

const LAST_MINUTE = 59;

/** The minute of a cron that names one alone; null for all others, which cannot be moved so simply. */
function getMinute(cron: string): number | null {
  const [, minute] = /^\s*(\d{1,2})(?:\s+\S+){4}\s*$/.exec(cron) ?? [];
  return minute === undefined || Number(minute) > LAST_MINUTE ? null : Number(minute);
}

const withMinute = (cron: string, minute: number): string => cron.trim().replace(/^\d+/, String(minute));

/**
 * Spreads schedules of one minute evenly over several minutes of the same hour, starting with those that fire at the
 * first of them. Schedules whose cron expression contains more than one minute, and those whose time would not change,
 * are left out.
 * @param minutes how many, 2 to 60
 */
export function spreadOver<T extends { cron: string }>(schedules: readonly T[], minutes: number): Proposal<T>[] {
  const movable = schedules.flatMap((schedule) => {
    const minute = getMinute(schedule.cron);
    return minute === null ? [] : [{ schedule, minute }];
  });
  return movable.flatMap(({ schedule, minute }, index) => {
    // Within the hour, so that the day stays the same.
    const first = Math.min(minute, LAST_MINUTE + 1 - minutes);
    const moved = first + Math.floor((index * minutes) / movable.length);
    return moved === minute ? [] : [{ schedule, cron: withMinute(schedule.cron, moved) }];
  });
}
