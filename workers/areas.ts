import type { Companion, Handler } from './core/handler.js';
import { deleteGroup } from './groups/delete.js';
import { ScheduleAlarm } from './pipeline-schedules/alarm.js';
import { play, run } from './pipeline-schedules/run.js';
import { tick } from './pipeline-schedules/tick.js';
import { remove as removeRepository } from './repositories/remove.js';

/** The one list of handlers. */
export const handlers: Handler[] = [tick, run, play, deleteGroup, removeRepository];

/** What each worker process keeps running beside them. */
export const companions = (): Companion[] => [new ScheduleAlarm()];
