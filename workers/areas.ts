import type { Companion, Handler } from './core/handler.js';
import { deleteGroup } from './groups/delete.js';
import { RecurringJobs } from './core/recurring.js';
import type { Recurring } from './core/recurring.js';
import { ScheduleAlarm } from './pipeline-schedules/alarm.js';
import { play, run } from './pipeline-schedules/run.js';
import { tend, tendNowAndThen } from './pipeline-schedules/tend.js';
import { tick } from './pipeline-schedules/tick.js';
import { ZoneDataWatch, zoneData } from './pipeline-schedules/zone-data.js';
import { failureOfForks, importOfForks } from './project-forks/import.js';
import { failureOfImports, importOfProjects } from './project-imports/import.js';
import { failureOfMirrors, scheduleEachMinute, scheduleOfMirrors, updateOfMirrors } from './project-mirrors/update.js';
import { deleteProject } from './projects/delete.js';
import { deleteUser } from './users/delete.js';
import { measure } from './projects/measure.js';
import { callNowAndThen, callOfTransfers } from './repository-transfers/call.js';
import { dateRefsEachMinute, datesOfRefs } from './repositories/date-refs.js';
import { remove as removeRepository } from './repositories/remove.js';
import { tidy, tidyEachHour } from './user-sessions/tidy.js';
import { removeBots, removeBotsNowAndThen } from './resource-access-tokens/remove-bots.js';

/** The one list of handlers. */
export const handlers: Handler[] = [
  tick,
  run,
  play,
  zoneData,
  tend,
  deleteGroup,
  deleteProject,
  deleteUser,
  callOfTransfers,
  importOfForks,
  failureOfForks,
  importOfProjects,
  failureOfImports,
  scheduleOfMirrors,
  updateOfMirrors,
  failureOfMirrors,
  removeRepository,
  datesOfRefs,
  removeBots,
  measure,
  tidy,
];

/** The one list of recurring jobs. */
export const recurring: Recurring[] = [
  tendNowAndThen,
  tidyEachHour,
  removeBotsNowAndThen,
  scheduleEachMinute,
  callNowAndThen,
  dateRefsEachMinute,
];

/** What each worker process keeps running beside them. */
export const companions = (): Companion[] => [new ScheduleAlarm(), new RecurringJobs(recurring), new ZoneDataWatch()];
