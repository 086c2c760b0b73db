import { defineEntity, id, timestamp } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

/** A time range in which an API process was there to hear runners; between two of them none was. */
export const InstanceUptime = defineEntity({
  name: 'InstanceUptime',
  tableName: 'instance_uptimes',
  properties: {
    id: id(),
    started_at: timestamp(),
    /** When an API process noted last that it is there. */
    noted_at: timestamp(),
  },
});
export type InstanceUptime = InferEntity<typeof InstanceUptime>;
