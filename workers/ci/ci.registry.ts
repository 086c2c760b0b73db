import type { WorkerDomain } from '../core/domain.js';
import { ScheduleAlarm } from './pipeline-schedules/alarm.js';
import { play, run } from './pipeline-schedules/run.js';
import { tend } from './pipeline-schedules/tend.js';
import { tick } from './pipeline-schedules/tick.js';
import { ZoneDataWatch, zoneData } from './pipeline-schedules/zone-data.js';

export const ciWorkers: WorkerDomain = {
  handlers: [tick, run, play, zoneData, tend],
  backgroundServices: () => [new ScheduleAlarm(), new ZoneDataWatch()],
};
