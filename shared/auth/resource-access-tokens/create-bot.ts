import { randomBytes } from 'node:crypto';
import { containerTable } from '../../core/operations/container.js';
import type { SignedInContext } from '../../core/context/context.js';
import { getExternalUrl } from '../../core/network/external-url.js';
import { queries } from '../../core/database/compile.js';
import { constant } from '../../core/database/expressions.js';
import type { AuthDatabase } from '../auth.entities.js';
import type { Container } from '../../tenancy/containers/container.js';

/** A bot's access level and expiry date. */
interface Role {
  access_level: number;
  expires_on: string | null;
}

/**
 * Creates the bot user of a project or group token, which is a member there and nowhere else. It has no namespace, no
 * password and an undeliverable address; it is external if its creator is.
 * @returns the bot's id
 */
export async function createBot(ctx: SignedInContext, container: Container, name: string, role: Role): Promise<number> {
  const now = ctx.clock.now();
  const username = `${container.kind}_${container.id}_bot_${randomBytes(16).toString('hex')}`;
  const email = `${username}@noreply.${getExternalUrl(ctx.config).hostname}`;
  const { table, column } = containerTable(container.kind, 'members');
  const { id: makerId, external } = ctx.caller.user;
  const bot = await ctx.em
    .getKysely<AuthDatabase>()
    .with('bot', (db) =>
      db
        .insertInto('users')
        .columns(['username', 'name', 'email', 'bot', 'external', 'created_by_id', 'created_at', 'updated_at'])
        .expression(
          queries<AuthDatabase>().selectNoFrom((eb) => [
            eb.val(username).as('username'),
            eb.val(name).as('name'),
            eb.val(email).as('email'),
            constant(true).as('bot'),
            eb.val(external).as('external'),
            eb.val(makerId).as('created_by_id'),
            eb.val(now).as('created_at'),
            eb.val(now).as('updated_at'),
          ]),
        )
        .returning('id'),
    )
    .with('profile', (db) =>
      db
        .insertInto('user_profiles')
        .columns(['user_id', 'can_create_group', 'projects_limit'])
        .expression((eb) =>
          eb
            .selectFrom('bot')
            .select(['bot.id', constant(false).as('can_create_group'), constant(0).as('projects_limit')]),
        ),
    )
    .with('member', (db) =>
      db
        .insertInto(table)
        .columns([column, 'user_id', 'access_level', 'created_by_id', 'expires_on', 'created_at'])
        .expression((eb) =>
          eb
            .selectFrom('bot')
            .select([
              eb.cast<number>(eb.val(container.id), 'bigint').as('container_id'),
              'bot.id as user_id',
              eb.cast<number>(eb.val(role.access_level), 'integer').as('access_level'),
              eb.cast<number>(eb.val(makerId), 'bigint').as('created_by_id'),
              eb.cast<string | null>(eb.val(role.expires_on), 'date').as('expires_on'),
              eb.cast<Date>(eb.val(now), 'timestamptz').as('created_at'),
            ]),
        ),
    )
    .selectFrom('bot')
    .select('bot.id')
    .executeTakeFirstOrThrow();
  return bot.id;
}
