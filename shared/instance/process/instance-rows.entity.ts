import { defineEntity, timestamp, p } from '../../core/database/entity.js';

/** The fingerprint of the key that the secrets of the database are sealed with. */
export const InstanceIdentity = defineEntity({
  name: 'InstanceIdentity',
  tableName: 'instance_identity',
  properties: {
    only_one: p.boolean().primary().default(true),
    key_fingerprint: p.string(),
    created_at: timestamp(),
  },
});

/** The fingerprint of the queue's schema. */
export const InstanceQueue = defineEntity({
  name: 'InstanceQueue',
  tableName: 'instance_queue',
  properties: {
    only_one: p.boolean().primary().default(true),
    queue_fingerprint: p.string(),
  },
});

/** The release that wrote the schema, and the oldest release that can work with it. */
export const InstanceSchema = defineEntity({
  name: 'InstanceSchema',
  tableName: 'instance_schema',
  properties: {
    only_one: p.boolean().primary().default(true),
    release: p.string(),
    oldest_compatible_release: p.string(),
  },
});
