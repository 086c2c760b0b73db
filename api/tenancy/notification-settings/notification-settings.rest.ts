import {
  getGroupNotificationSettings,
  getNotificationSettings,
  getProjectNotificationSettings,
  updateGroupNotificationSettings,
  updateNotificationSettings,
  updateProjectNotificationSettings,
} from '../../../shared/tenancy/notification-settings/notification-setting.operations.js';
import {
  globalNotificationSettingShape,
  notificationSettingShape,
} from '../../../shared/tenancy/notification-settings/notification-setting.shape.js';
import { get, put, routes } from '../../core/routes.js';

const everywhere = { present: globalNotificationSettingShape };
const inPlace = { present: notificationSettingShape };

export default routes('', [
  get('/notification_settings', getNotificationSettings, everywhere),
  put('/notification_settings', updateNotificationSettings, everywhere),
  get('/groups/:id/notification_settings', getGroupNotificationSettings, inPlace),
  put('/groups/:id/notification_settings', updateGroupNotificationSettings, inPlace),
  get('/projects/:id/notification_settings', getProjectNotificationSettings, inPlace),
  put('/projects/:id/notification_settings', updateProjectNotificationSettings, inPlace),
]);
