import { expressionBuilder } from 'kysely';
import type { Expression } from 'kysely';
import type { MemberRecord } from './member.entity.js';
import type { z } from 'zod';
import { containerTable } from '../../core/operations/container.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { BadParams, Conflict, Invalid, NotFound } from '../../core/values/errors.js';
import { clearable, day, integer, optional, text } from '../../core/operations/fields.js';
import { getAtLeastOne, mutuallyExclusive } from '../../core/operations/params.js';
import { anyOf, unnested } from '../../core/database/expressions.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import type { OfUsers } from '../users/user.finder.js';
import { lockContainer } from '../containers/container.js';
import type { Container } from '../containers/container.js';
import { today, unexpired } from '../namespaces/access.js';
import { findMember } from './member.finder.js';
import {
  inheritanceProblem,
  inheritedLevels,
  requireLevel,
  requireMemberValues,
  requireUnlocked,
} from './member.rules.js';

/** A custom role. None exist, so no id is valid. */
export const roleParam = { member_role_id: clearable(integer()).describe('ID of a custom role.') };

/** Parameters of adding members. */
export const addParams = {
  user_id: text().optional().describe('ID of a user, or several IDs separated by commas.'),
  username: text().optional().describe('Username of a user, or several usernames separated by commas.'),
  access_level: integer()
    .describe('Access level of the member, from 10 (Guest) to 50 (Owner).')
    .meta({ examples: [30] }),
  expires_at: optional(day()).describe('Date on which the role expires, in UTC.'),
  ...roleParam,
};

type Input = z.output<z.ZodObject<typeof addParams>>;

/** One member, or what became of several: usernames with the reason for each that could not be added. */
export type Added = { member: MemberRecord } | { rejections: Record<string, string> };

interface Candidate {
  id: number;
  username: string;
  /** Has the role already. */
  member: boolean;
  /** The bot of another project's or group's access token. */
  foreign_bot: boolean;
}

const FOREIGN_BOT = 'project bots cannot be added to other groups / projects';

/** Exactly one of the two ways to identify users is required. */
export const addRules = [mutuallyExclusive('user_id', 'username'), getAtLeastOne('user_id', 'username')];

/** The referenced users, as ids or usernames. @throws BadParams */
function getNames(input: Input): { ids: number[] } | { usernames: string[] } {
  const references = [...new Set((input.user_id ?? input.username ?? '').split(',').map((part) => part.trim()))];
  if (input.user_id === undefined) return { usernames: references.map((name) => name.toLowerCase()) };
  if (!references.every((part) => /^\d{1,15}$/.test(part))) throw new BadParams(['user_id is invalid']);
  return { ids: references.map(Number) };
}

/** Tokens, which lie in a domain above: their bots have a role where the token is. */
interface Tokens {
  personal_access_tokens: { user_id: number; project_id: number | null; namespace_id: number | null };
}
const onBots = expressionBuilder<Tokens & OfUsers, 'u'>();

/** That user `u` is the bot of a token of anything else. */
function isForeignBot({ kind, id }: Container): Expression<boolean> {
  const tokens = onBots
    .selectFrom('personal_access_tokens as t')
    .select(onBots.lit(1).as('one'))
    .whereRef('t.user_id', '=', 'u.id')
    .where(`t.${containerTable(kind, 'members').column}`, '=', id);
  return onBots.and([onBots.ref('u.bot'), onBots.not(onBots.exists(tokens))]).$castTo<boolean>();
}

function findCandidates(ctx: Context, source: Container, names: ReturnType<typeof getNames>): Promise<Candidate[]> {
  const { table, column } = containerTable(source.kind, 'members');
  return ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('users as u')
    .select((eb) => {
      const one = eb.lit(1).as('one');
      const roles = eb
        .selectFrom(`${table} as m`)
        .select(one)
        .where(`m.${column}`, '=', source.id)
        .whereRef('m.user_id', '=', 'u.id')
        .where(unexpired('m', today(ctx)));
      return [
        'u.id',
        'u.username',
        eb.exists(roles).$castTo<boolean>().as('member'),
        eb.parens(isForeignBot(source)).as('foreign_bot'),
      ];
    })
    .where((eb) =>
      'ids' in names
        ? eb('u.id', '=', anyOf(names.ids, 'bigint'))
        : eb(eb.fn('lower', ['u.username']), '=', anyOf(names.usernames, 'text')),
    )
    .orderBy('u.id')
    .execute();
}

/**
 * Stores direct roles, replacing expired ones, which are no longer memberships but still rows.
 * @returns the users who got a role; concurrent requests may have added the others
 */
async function insertMembers(
  ctx: SignedInContext,
  source: Container,
  users: readonly Candidate[],
  input: Input,
): Promise<Set<number>> {
  if (users.length === 0) return new Set();
  const { table, column } = containerTable(source.kind, 'members');
  const role = {
    access_level: input.access_level,
    created_by_id: ctx.caller.user.id,
    expires_on: input.expires_at ?? null,
    created_at: ctx.clock.now(),
  };
  const ids = users.map(({ id }) => id);
  const stored = await ctx.em
    .getKysely<TenancyDatabase>()
    .insertInto(table)
    .columns([column, 'user_id', 'access_level', 'created_by_id', 'expires_on', 'created_at'])
    .expression((eb) =>
      eb
        .selectFrom(unnested(ids, 'bigint').as('x'))
        .select([
          eb.cast<number>(eb.val(source.id), 'bigint').as('container_id'),
          'x.value as user_id',
          eb.cast<number>(eb.val(role.access_level), 'integer').as('access_level'),
          eb.cast<number>(eb.val(role.created_by_id), 'bigint').as('created_by_id'),
          eb.cast<string | null>(eb.val(role.expires_on), 'date').as('expires_on'),
          eb.cast<Date>(eb.val(role.created_at), 'timestamptz').as('created_at'),
        ]),
    )
    .onConflict((conflict) =>
      conflict
        .columns([column, 'user_id'])
        .doUpdateSet(role)
        .where((eb) => eb(eb.ref(`${table}.expires_on`), '<=', eb.cast<string>(eb.val(today(ctx)), 'date'))),
    )
    .returning('user_id')
    .execute();
  const added = new Set(stored.map((row) => row.user_id));
  for (const user of users.filter(({ id }) => added.has(id))) {
    const member = { ...user, access_level: input.access_level };
    ctx.record({ type: 'member.added', container: source.summary, member });
  }
  return added;
}

/**
 * Gives users a role directly. One that can't have it is an error; of several, the others get it all the same.
 * @throws NotFound, Conflict, Invalid, Forbidden (core-resources.md section 4)
 */
export async function addMembers(ctx: SignedInContext, source: Container, input: Input): Promise<Added> {
  const names = getNames(input);
  requireMemberValues(ctx, source, input);
  requireLevel(ctx, source, input.access_level);
  await requireUnlocked(ctx, source);
  await lockContainer(ctx, source);
  const candidates = await findCandidates(ctx, source, names);
  const inherited = await inheritedLevels(
    ctx,
    source,
    candidates.map((user) => user.id),
  );
  const count = 'ids' in names ? names.ids.length : names.usernames.length;
  if (count === 1) return addOne(ctx, source, input, candidates[0], inherited);
  const rejections: Record<string, string> = {};
  for (const user of candidates) {
    const problem = inheritanceProblem(inherited.get(user.id), input.access_level);
    if (user.member) rejections[user.username] = 'Member already exists';
    else if (user.foreign_bot) rejections[user.username] = FOREIGN_BOT;
    else if (problem) rejections[user.username] = `Access level ${problem}`;
  }
  for (const name of missing(names, candidates)) rejections[name] = 'Not found';
  await insertMembers(
    ctx,
    source,
    candidates.filter((user) => !(user.username in rejections)),
    input,
  );
  return { rejections };
}

async function addOne(
  ctx: SignedInContext,
  source: Container,
  input: Input,
  user: Candidate | undefined,
  inherited: Awaited<ReturnType<typeof inheritedLevels>>,
): Promise<Added> {
  if (!user) throw new NotFound('User');
  if (user.member) throw new Conflict('Member already exists');
  if (user.foreign_bot) throw new Invalid({ user: [FOREIGN_BOT] });
  const problem = inheritanceProblem(inherited.get(user.id), input.access_level);
  if (problem) throw new Invalid({ access_level: [problem] });
  if (!(await insertMembers(ctx, source, [user], input)).has(user.id)) throw new Conflict('Member already exists');
  return { member: await findMember(ctx, source, user.id) };
}

/** Requested ids or usernames that match no user. */
function missing(names: ReturnType<typeof getNames>, found: readonly Candidate[]): string[] {
  const foundNames = new Set(found.map((user) => ('ids' in names ? String(user.id) : user.username.toLowerCase())));
  const requestedNames = 'ids' in names ? names.ids.map(String) : names.usernames;
  return requestedNames.filter((name) => !foundNames.has(name));
}
