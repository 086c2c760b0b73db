import type { UserRecord } from '../../tenancy/users/user.record.js';
import type { Context } from '../../core/context.js';
import { NotFound } from '../../core/errors.js';
import { likeLiteral, sql } from '../../core/sql.js';
import { findUserByReference } from '../../tenancy/users/user.finder.js';

/** Shown at most: more is searched for. */
const LISTED = 100;

/** What a command cannot do, said to whoever typed it. */
export class Refused extends Error {}

/** Names are their users' own: nothing of them may move the cursor of a terminal. */
const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '?');

async function nearestUsernames(ctx: Context, username: string): Promise<string[]> {
  const rows = await ctx.query<{ username: string }>(sql`
    select u.username from users u where not u.bot and not u.internal
     order by similarity(lower(u.username), lower(${username})) desc, u.id limit 3`);
  return rows.map((row) => row.username);
}

/**
 * The person whom a username or an id names.
 * @throws Refused for nobody, with the nearest usernames, and for bots and internal users
 */
export async function requirePerson(ctx: Context, reference: string): Promise<UserRecord> {
  const found = await findUserByReference(ctx, reference).catch((error: unknown) => {
    if (error instanceof NotFound) return null;
    throw error;
  });
  if (!found) {
    const near = (await nearestUsernames(ctx, reference)).map(printable).join(', ');
    throw new Refused(`There is no user "${printable(reference)}".${near ? ` The nearest usernames: ${near}.` : ''}`);
  }
  if (found.bot)
    throw new Refused(`${found.username} is the bot of an access token; make or rotate that token instead.`);
  if (found.internal)
    throw new Refused(`${found.username} belongs to the service itself; nobody signs in as that user.`);
  return found;
}

interface Listed {
  id: number;
  username: string;
  name: string;
  email: string;
  state: string;
  admin: boolean;
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
  const people = await ctx.query<Listed & { found: number }>(sql`
    select u.id, u.username, u.name, u.email, u.state, u.admin, count(*) over ()::int as found
      from users u where not u.bot and not u.internal
       and (u.username ilike ${pattern} or u.name ilike ${pattern} or lower(u.email) = lower(${search}))
     order by lower(u.username) limit ${LISTED}`);
  const rows = people.map((user) =>
    [String(user.id), user.username, user.name, user.email, user.state, user.admin ? 'administrator' : ''].map(
      printable,
    ),
  );
  return {
    text: table([['ID', 'USERNAME', 'NAME', 'ADDRESS', 'STATE', ''], ...rows]),
    more: (people[0]?.found ?? 0) - people.length,
  };
}
