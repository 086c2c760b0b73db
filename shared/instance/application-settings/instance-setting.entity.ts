import { defineEntity, timestamp, p } from '../../core/database/entity.js';

/** A setting of the instance that differs from its default. */
export const InstanceSetting = defineEntity({
  name: 'InstanceSetting',
  tableName: 'instance_settings',
  properties: {
    name: p.string().primary(),
    value: p.json<unknown>(),
    updated_at: timestamp(),
  },
});
