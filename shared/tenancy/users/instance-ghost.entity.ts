import { defineEntity, p, relation } from '../../core/database/entity.js';
import { User } from './user.entity.js';

/** The user whom the contributions of removed users belong to. */
export const InstanceGhost = defineEntity({
  name: 'InstanceGhost',
  tableName: 'instance_ghost',
  properties: {
    only_one: p.boolean().primary().default(true),
    user_id: relation(User),
  },
});
