import { defineEntity, id, p, reference } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import type { Wishes } from './notification-levels.js';

const wishes = {
  user_id: reference(),
  /** Index in the list of levels. */
  level: p.smallint(),
  /** Events that the user has switched on or off. */
  events: p.json<Wishes>(),
};

/** A user's global notification setting, used where no more specific one exists. */
export const UserNotificationSetting = defineEntity({
  name: 'UserNotificationSetting',
  tableName: 'user_notification_settings',
  properties: { id: id(), ...wishes },
});
export type UserNotificationSetting = InferEntity<typeof UserNotificationSetting>;

/** The same for one group. */
export const GroupNotificationSetting = defineEntity({
  name: 'GroupNotificationSetting',
  tableName: 'group_notification_settings',
  properties: { id: id(), namespace_id: reference(), ...wishes },
});
export type GroupNotificationSetting = InferEntity<typeof GroupNotificationSetting>;

/** The same for one project. */
export const ProjectNotificationSetting = defineEntity({
  name: 'ProjectNotificationSetting',
  tableName: 'project_notification_settings',
  properties: { id: id(), project_id: reference(), ...wishes },
});
export type ProjectNotificationSetting = InferEntity<typeof ProjectNotificationSetting>;
