import type { Companion, Handler } from './core/handler.js';
import { deleteGroup } from './tenancy/groups/delete.js';
import { RecurringJobs } from './core/recurring.js';
import type { Recurring } from './core/recurring.js';
import { ScheduleAlarm } from './ci/pipeline-schedules/alarm.js';
import { play, run } from './ci/pipeline-schedules/run.js';
import { tend, tendNowAndThen } from './ci/pipeline-schedules/tend.js';
import { tick } from './ci/pipeline-schedules/tick.js';
import { ZoneDataWatch, zoneData } from './ci/pipeline-schedules/zone-data.js';
import { failureOfForks, importOfForks } from './repositories/project-forks/import.js';
import { failureOfImports, importOfProjects } from './repositories/project-imports/import.js';
import { failureOfMirrors, scheduleEachMinute, scheduleOfMirrors, updateOfMirrors } from './repositories/project-mirrors/update.js';
import { deleteProject } from './repositories/project-lifecycle/delete.js';
import { deleteUser } from './tenancy/users/delete.js';
import { measure } from './repositories/measuring/measure.js';
import { callNowAndThen, callOfTransfers } from './repositories/repository-transfers/call.js';
import { dateRefsEachMinute, datesOfRefs } from './repositories/repositories/date-refs.js';
import { remove as removeRepository } from './repositories/repositories/remove.js';
import { tidy, tidyEachHour } from './auth/user-sessions/tidy.js';
import { removeBots, removeBotsNowAndThen } from './auth/resource-access-tokens/remove-bots.js';

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
