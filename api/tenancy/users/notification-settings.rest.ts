import {
  containerNotificationSettings,
  getNotificationSettings,
  updateNotificationSettings,
} from '../../../shared/tenancy/users/notification-setting.operations.js';
import {
  globalNotificationSettingShape as everywhere,
  notificationSettingShape as present,
} from '../../../shared/tenancy/users/notification-setting.shape.js';
import { containerRoutes } from '../../core/container-routes.js';
import { get, put, routes } from '../../core/routes.js';

export default [
  ...routes('/notification_settings', [
    get('/', getNotificationSettings, { present: everywhere }),
    put('/', updateNotificationSettings, { present: everywhere }),
  ]),
  ...containerRoutes('/notification_settings', containerNotificationSettings, ({ get: getOne, update }) => [
    get('/', getOne, { present }),
    put('/', update, { present }),
  ]),
];
