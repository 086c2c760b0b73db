import type { Context } from '../../core/context/context.js';
import { out, serializer, visibleIf } from '../../core/operations/serializer.js';
import type { OutField } from '../../core/operations/serializer.js';
import { CUSTOM, EVENT_NAMES, EVENTS, LEVELS } from './notification-levels.js';
import type { NotificationSetting } from './notification-setting.store.js';

/** Epics are of groups, and of a plan that has them. */
const hasEpics = (setting: NotificationSetting, ctx: Context) => setting.kind !== 'project' && ctx.hasPlan('premium');

const eventField = (name: (typeof EVENT_NAMES)[number]) =>
  out.boolean<NotificationSetting>(({ events }) => events[name] ?? EVENTS[name]);

const eventsSerializer = serializer<NotificationSetting>('NotificationEvents', {
  ...Object.fromEntries(EVENT_NAMES.filter((name) => name !== 'new_epic').map((name) => [name, eventField(name)])),
  ...visibleIf<NotificationSetting>(hasEpics, { new_epic: eventField('new_epic') }),
});

const fields: Record<string, OutField<NotificationSetting>> = {
  level: out.text((setting) => LEVELS[setting.level] ?? 'global', { enum: [...LEVELS] }),
  ...visibleIf<NotificationSetting>((setting) => setting.level === CUSTOM, {
    events: out.record(eventsSerializer, (setting) => setting),
  }),
};

/** The caller's notification setting in a group or project. */
export const notificationSettingSerializer = serializer<NotificationSetting>('NotificationSetting', fields);

/** The same for everywhere, and where to. */
export const globalNotificationSettingSerializer = serializer<NotificationSetting>('GlobalNotificationSetting', {
  ...fields,
  notification_email: out.text((setting) => setting.email ?? ''),
});
