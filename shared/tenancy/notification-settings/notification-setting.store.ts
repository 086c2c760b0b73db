import { containerColumn, containerTable } from '../../core/container.js';
import type { ContainerKind, ContainerRef } from '../../core/container.js';
import type { Context } from '../../core/context.js';
import { raw, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { GLOBAL, PARTICIPATING } from './notification-levels.js';
import type { Wishes } from './notification-levels.js';

/** What somebody is told of: everything, or what happens in one project or group. */
export type NotificationSource = { readonly kind: 'user' } | ContainerRef;

/** What the caller wants to be told of from a source. */
export interface NotificationSetting {
  kind: 'user' | ContainerKind;
  /** Place in the list of levels. */
  level: number;
  /** Events that the caller decided about. */
  events: Wishes;
  /** The caller's address; only where the setting is about everything. */
  email?: string;
}

/** The table of a source's kind, and what besides the user tells its rows apart. */
function tableOf(source: NotificationSource): { table: Fragment; key: Fragment; value: Fragment } {
  if (source.kind === 'user') return { table: raw('user_notification_settings'), key: sql``, value: sql`` };
  const { table, column } = containerTable(source.kind, 'notification_settings');
  return { table, key: sql`${column}, `, value: sql`${source.id}, ` };
}

const initial = (source: NotificationSource) => (source.kind === 'user' ? PARTICIPATING : GLOBAL);

async function emailOf(ctx: Context, source: NotificationSource): Promise<{ email?: string }> {
  if (source.kind !== 'user') return {};
  const found = await ctx.queryOne<{ email: string }>(sql`select u.email from users u where u.id = ${ctx.caller.id}`);
  return { email: found?.email ?? '' };
}

/** Reads the caller's setting; what was never set is as it begins. */
export async function readSetting(ctx: Context, source: NotificationSource): Promise<NotificationSetting> {
  const { table } = tableOf(source);
  const where = source.kind === 'user' ? sql`` : sql`and s.${containerColumn(source.kind)} = ${source.id}`;
  const [found, email] = await Promise.all([
    ctx.queryOne<{ level: number; events: Wishes }>(
      sql`select s.level, s.events from ${table} s where s.user_id = ${ctx.caller.id} ${where}`,
    ),
    emailOf(ctx, source),
  ]);
  return { kind: source.kind, level: initial(source), events: {}, ...found, ...email };
}

/** Changes the caller's setting by what is given, and keeps the rest: of two changes at once none is lost. */
export async function writeSetting(
  ctx: Context,
  source: NotificationSource,
  level: number | null,
  events: Wishes,
): Promise<void> {
  const { table, key, value } = tableOf(source);
  await ctx.query(sql`
    insert into ${table} as s (${key}user_id, level, events)
    values (${value}${ctx.caller.id}, ${level ?? initial(source)}, ${JSON.stringify(events)}::jsonb)
    on conflict (${key}user_id) do update
      set level = coalesce(${level}::smallint, s.level), events = s.events || excluded.events`);
}
