import { defineEntity, p, reference } from '../../core/database/entity.js';

/** The user whom the contributions of removed users belong to. */
export const InstanceGhost = defineEntity({
  name: 'InstanceGhost',
  tableName: 'instance_ghost',
  properties: {
    only_one: p.boolean().primary().default(true),
    user_id: reference(),
  },
});
