import { defineEntity, timestamp, p } from '../../core/database/entity.js';

/** The version of the time zone data that the next runs of schedules were computed with. */
export const InstanceZoneData = defineEntity({
  name: 'InstanceZoneData',
  tableName: 'instance_zone_data',
  properties: {
    only_one: p.boolean().primary().default(true),
    version: p.string(),
    updated_at: timestamp(),
  },
});
