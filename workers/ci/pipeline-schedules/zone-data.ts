import type { PgBoss } from 'pg-boss';
import { ANONYMOUS } from '../../../shared/core/context/callers.js';
import { Context } from '../../../shared/core/context/context.js';
import { JobSender } from '../../../shared/core/context/jobs.js';
import type { OpenServices } from '../../../shared/core/context/open-services.js';
import { syncZoneData, storedZoneDataVersion } from '../../../shared/ci/pipeline-schedules/sync-zone-data.js';
import { syncTimeZoneData } from '../../../shared/ci/ci.jobs.js';
import { timeZoneDataVersion } from '../../../shared/ci/cron/time-zones.js';
import { handler, logWork } from '../../core/handler.js';
import type { BackgroundService } from '../../core/handler.js';

/** At its start a worker compares its zone data with that by which next runs were computed. */
export class ZoneDataWatch implements BackgroundService {
  async start(services: OpenServices, boss: Pick<PgBoss, 'send'>): Promise<void> {
    const version = timeZoneDataVersion();
    if ((await storedZoneDataVersion(new Context(services, ANONYMOUS))) === version) return;
    await new JobSender(boss).sentBy('zone_data_watch').send(syncTimeZoneData, { version }, { singletonKey: version });
  }

  stop(): Promise<void> {
    return Promise.resolve();
  }
}

/** Recomputes next runs. */
export const zoneData = handler({
  kind: syncTimeZoneData,
  batchSize: 1,
  async handle(ctx) {
    const moved = await syncZoneData(ctx);
    logWork(ctx.log, { moved, version: timeZoneDataVersion() }, 'pipeline_schedule.zone_data');
  },
});
