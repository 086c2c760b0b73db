import type { UserRecord } from '../../tenancy/users/user.entity.js';
import type { Context } from '../../core/context/context.js';
import { constant, likeLiteral, sameText } from '../../core/database/expressions.js';
import { NotFound } from '../../core/values/errors.js';
import type { AuthDatabase } from '../auth.entities.js';
import { findUserByReference } from '../../tenancy/users/user.finder.js';

/** Maximum number of users to show; the search covers more. */
const LISTED = 100;

/** A failure of a command, with a message for the operator who ran it. */
export class AdminCommandError extends Error {}

/** Names are their users' own: nothing of them may move the cursor of a terminal. */
const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '?');

/** Users who are neither bots nor the service's own. */
const people = (ctx: Context) =>
  ctx.em
    .getKysely<AuthDatabase>()
    .selectFrom('users as u')
    .where('u.bot', '=', constant(false))
    .where('u.internal', '=', constant(false));

async function nearestUsernames(ctx: Context, username: string): Promise<string[]> {
  const rows = await people(ctx)
    .select('u.username')
    .orderBy(({ fn, val }) => fn('similarity', [fn('lower', ['u.username']), fn('lower', [val(username)])]), 'desc')
    .orderBy('u.id')
    .limit(constant(3))
    .execute();
  return rows.map((row) => row.username);
}

/**
 * The human user with a username or an id.
 * @throws AdminCommandError if there is none, with the nearest usernames, and for bots and internal users
 */
export async function requirePerson(ctx: Context, reference: string): Promise<UserRecord> {
  const found = await findUserByReference(ctx, reference).catch((error: unknown) => {
    if (error instanceof NotFound) return null;
    throw error;
  });
  if (!found) {
    const near = (await nearestUsernames(ctx, reference)).map(printable).join(', ');
    throw new AdminCommandError(
      `There is no user "${printable(reference)}".${near ? ` The nearest usernames: ${near}.` : ''}`,
    );
  }
  if (found.bot)
    throw new AdminCommandError(`${found.username} is the bot of an access token; make or rotate that token instead.`);
  if (found.internal)
    throw new AdminCommandError(`${found.username} belongs to the service itself; nobody signs in as that user.`);
  return found;
}

const line = (columns: readonly string[], widths: readonly number[]) =>
  columns
    .map((column, at) => column.padEnd(widths[at] ?? 0))
    .join('  ')
    .trimEnd();

function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_column, at) => Math.max(...rows.map((row) => [...(row[at] ?? '')].length)));
  return rows.map((row) => line(row, widths)).join('\n');
}

/** People by username, as a table for a terminal, and how many more there are. */
export async function listPeople(ctx: Context, search = ''): Promise<{ text: string; more: number }> {
  const pattern = `%${likeLiteral(search)}%`;
  const listed = await people(ctx)
    .select(['u.id', 'u.username', 'u.name', 'u.email', 'u.state', 'u.admin'])
    .select(({ fn }) => fn.countAll<number>().over().as('found'))
    .where((eb) =>
      eb.or([eb('u.username', 'ilike', pattern), eb('u.name', 'ilike', pattern), sameText(eb.ref('u.email'), search)]),
    )
    .orderBy(({ fn }) => fn('lower', ['u.username']))
    .limit(constant(LISTED))
    .execute();
  const rows = listed.map((user) =>
    [String(user.id), user.username, user.name, user.email, user.state, user.admin ? 'administrator' : ''].map(
      printable,
    ),
  );
  return {
    text: table([['ID', 'USERNAME', 'NAME', 'ADDRESS', 'STATE', ''], ...rows]),
    more: (listed[0]?.found ?? 0) - listed.length,
  };
}
