import type { Context } from '../../core/context/context.js';
import { Invalid } from '../../core/values/errors.js';
import { boolean, optional, text } from '../../core/operations/fields.js';
import { can, instance, operation } from '../../core/operations/operation.js';
import { forContainers } from '../containers/container.js';
import { containerPolicy } from '../containers/container.policy.js';
import { EVENT_NAMES, LEVELS } from './notification-levels.js';
import type { Wishes } from './notification-levels.js';
import { readSetting, writeSetting } from './notification-setting.store.js';
import type { NotificationSetting, NotificationSource } from './notification-setting.store.js';

const eventParams = Object.fromEntries(
  EVENT_NAMES.map((name) => [
    name,
    optional(boolean()).describe(
      `Enable or disable notifications of this event at the \`custom\` level: ${name.replaceAll('_', ' ')}.`,
    ),
  ]),
);

const settingParams = {
  level: optional(text()).describe(`Notification level: ${LEVELS.join(', ')}.`),
  ...eventParams,
};

interface Input {
  level?: string | undefined;
}

/** The number of a requested level; null if none was requested. @throws Invalid */
function getLevel({ level }: Input): number | null {
  if (level === undefined) return null;
  const number = (LEVELS as readonly string[]).indexOf(level);
  if (number < 0) throw new Invalid(`'${level}' is not a valid level`);
  return number;
}

async function change(ctx: Context, source: NotificationSource, input: Input): Promise<NotificationSetting> {
  const changes = Object.entries(input).filter(([, value]) => typeof value === 'boolean');
  const events = Object.fromEntries(changes) as Wishes;
  const level = getLevel(input);
  if (level !== null || changes.length > 0) await writeSetting(ctx, source, level, events);
  return readSetting(ctx, source);
}

const everywhere: NotificationSource = { kind: 'user' };

/** Read the caller's global notification settings. */
export const getNotificationSettings = operation({
  name: 'getNotificationSettings',
  summary: 'Read the notification settings',
  resource: instance,
  kind: 'read',
  statements: 3,
  run: (ctx) => readSetting(ctx, everywhere),
});

/** Change the global notification settings. Mail goes to the account's primary address, the only confirmed one. */
export const updateNotificationSettings = operation({
  name: 'updateNotificationSettings',
  summary: 'Change the notification settings',
  example: { level: 'watch' },
  resource: instance,
  kind: 'write',
  params: {
    ...settingParams,
    notification_email: optional(text()).describe(
      "Email address for notifications, which is the account's own address.",
    ),
  },
  async run(ctx, _instance, input) {
    const { notification_email: address, ...rest } = input;
    const { email = '' } = await readSetting(ctx, everywhere);
    if (address !== undefined && address.toLowerCase() !== email.toLowerCase())
      throw new Invalid({ notification_email: ['is not an email you own'] });
    return change(ctx, everywhere, rest);
  },
});

/** The caller's notification settings in a project or group. Requires a signed-in user with read access. */
export const containerNotificationSettings = forContainers(({ kind, noun, resource }) => ({
  /** Read it. */
  get: operation({
    name: `get${noun}NotificationSettings`,
    summary: `Read the notification settings for a ${kind}`,
    resource,
    can: can(containerPolicy, `read_${kind}`),
    kind: 'read',
    statements: 3,
    run: readSetting,
  }),

  /** Change it. */
  update: operation({
    name: `update${noun}NotificationSettings`,
    summary: `Change the notification settings for a ${kind}`,
    example: { level: 'watch' },
    resource,
    can: can(containerPolicy, `read_${kind}`),
    kind: 'write',
    params: settingParams,
    run: change,
  }),
}));
