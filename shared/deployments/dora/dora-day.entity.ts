import { defineEntity, timestamp, p, relation, reference } from '../../core/database/entity.js';
import { Environment } from '../environments/environment.entity.js';

/** The DORA metrics of an environment on a day. */
export const DoraDailyMetric = defineEntity({
  name: 'DoraDailyMetric',
  tableName: 'dora_daily_metrics',
  properties: {
    environment_id: relation(Environment).primary(),
    date: p.date().primary(),
    project_id: reference(),
    deployment_frequency: p.integer().nullable(),
    lead_time_for_changes_in_seconds: p.float().nullable(),
    time_to_restore_service_in_seconds: p.float().nullable(),
    incidents_count: p.integer().nullable(),
  },
});

/** A day whose DORA metrics must be recomputed. */
export const DoraRefresh = defineEntity({
  name: 'DoraRefresh',
  tableName: 'dora_refreshes',
  properties: {
    environment_id: relation(Environment).primary(),
    date: p.date().primary(),
    project_id: reference(),
    due_at: timestamp(),
    version: p.integer().default(1),
    unannounced: p.boolean().default(true),
  },
});
