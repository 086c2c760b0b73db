import { randomBytes } from 'node:crypto';
import { containerTable } from '../../core/container.js';
import type { SignedInContext } from '../../core/context.js';
import { externalUrlOf } from '../../core/network/external-url.js';
import { sql } from '../../core/sql.js';
import type { Container } from '../../tenancy/containers/container.js';

/** Which role a bot is given, and until which day. */
interface Role {
  access_level: number;
  expires_on: string | null;
}

/**
 * Makes the user that a token of a project or group acts as, a member there and nowhere else. It has no namespace, no
 * password, and an address that reaches nobody; it is external where its maker is.
 * @returns the bot's id
 */
export async function createBot(ctx: SignedInContext, container: Container, name: string, role: Role): Promise<number> {
  const now = ctx.clock.now();
  const username = `${container.kind}_${container.id}_bot_${randomBytes(16).toString('hex')}`;
  const email = `${username}@noreply.${externalUrlOf(ctx.config).hostname}`;
  const { table, column } = containerTable(container.kind, 'members');
  const made = await ctx.queryOne<{ id: number }>(sql`
    with bot as (
      insert into users (username, name, email, bot, external, created_by_id, created_at, updated_at)
      values (${username}, ${name}, ${email}, true, ${ctx.caller.user.external}, ${ctx.caller.user.id}, ${now}, ${now})
      returning id),
    profile as (
      insert into user_profiles (user_id, can_create_group, projects_limit) select id, false, 0 from bot),
    member as (
      insert into ${table} (${column}, user_id, access_level, created_by_id, expires_on, created_at)
      select ${container.id}::bigint, id, ${role.access_level}::integer, ${ctx.caller.user.id}::bigint,
             ${role.expires_on}::date, ${now}::timestamptz from bot)
    select id as "id" from bot`);
  return made?.id as number;
}
