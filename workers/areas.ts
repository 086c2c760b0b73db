import type { Companion, Handler } from './core/handler.js';
import { ScheduleAlarm } from './pipeline-schedules/alarm.js';
import { play, run } from './pipeline-schedules/run.js';
import { tick } from './pipeline-schedules/tick.js';

/** The one list of handlers. */
export const handlers: Handler[] = [tick, run, play];

/** What each worker process keeps running beside them. */
export const companions = (): Companion[] => [new ScheduleAlarm()];
