import { defineEntity, id, timestamp, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';

const attribute = { key: p.string(), value: p.string(), created_at: timestamp(), updated_at: timestamp() };

/** What administrators noted about a user, under a key. */
export const UserCustomAttribute = defineEntity({
  name: 'UserCustomAttribute',
  tableName: 'user_custom_attributes',
  properties: { id: id(), user_id: reference(), ...attribute },
});
export type UserCustomAttribute = InferEntity<typeof UserCustomAttribute>;

/** The fields of a custom attribute in responses. */
export type CustomAttributeRecord = Pick<UserCustomAttribute, 'key' | 'value'>;

/** The same about a group. */
export const GroupCustomAttribute = defineEntity({
  name: 'GroupCustomAttribute',
  tableName: 'group_custom_attributes',
  properties: { id: id(), namespace_id: reference(), ...attribute },
});
export type GroupCustomAttribute = InferEntity<typeof GroupCustomAttribute>;

/** The same about a project. */
export const ProjectCustomAttribute = defineEntity({
  name: 'ProjectCustomAttribute',
  tableName: 'project_custom_attributes',
  properties: { id: id(), project_id: reference(), ...attribute },
});
export type ProjectCustomAttribute = InferEntity<typeof ProjectCustomAttribute>;
