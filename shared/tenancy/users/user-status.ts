import type { Kysely } from 'kysely';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { isEmojiName } from '../../core/markdown/emoji.js';
import { clearableText, optional, oneOf, text } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { findUserId } from './user.finder.js';
import { UserStatus } from './user-relations.entity.js';

export type StatusRecord = Pick<UserStatus, 'emoji' | 'message' | 'availability' | 'clear_at'>;

const MAX_MESSAGE = 100;
const DEFAULT_EMOJI = 'speech_balloon';
const AVAILABILITY = ['not_set', 'busy'] as const;
const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

/** Durations of a status, in milliseconds, by the value that clients send. */
const LASTING: Record<string, number> = {
  '30_minutes': 30 * MINUTE_MS,
  '3_hours': 180 * MINUTE_MS,
  '8_hours': 480 * MINUTE_MS,
  '1_day': DAY_MS,
  '3_days': 3 * DAY_MS,
  '7_days': 7 * DAY_MS,
  '30_days': 30 * DAY_MS,
};

const escaped = (message: string) =>
  message.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0) as number};`);

/** A user's status; all fields are null if there is none. */
export const userStatusSerializer = serializer<StatusRecord | { emoji: null }>('UserStatus', {
  emoji: out.nullableText((status) => status.emoji),
  availability: out.nullableText((status) => ('availability' in status ? status.availability : null)),
  message: out.nullableText((status) => ('message' in status ? status.message : null)),
  message_html: out.text((status) => ('message' in status ? escaped(status.message) : '')),
  clear_status_at: out.nullableInstant((status) => ('clear_at' in status ? status.clear_at : null)),
});

const findStatuses = prepareQuery(
  (db: Kysely<TenancyDatabase>, { ids, now }: Placeholders<{ ids: readonly number[]; now: Date }>) =>
    db
      .selectFrom('user_statuses as s')
      .select(['s.user_id', 's.emoji', 's.message', 's.availability', 's.clear_at'])
      .where('s.user_id', '=', anyOf(ids, 'bigint'))
      .where((eb) => eb.or([eb('s.clear_at', 'is', null), eb('s.clear_at', '>', now)])),
);

/** Statuses of many users that are not over yet. */
export async function statusesByUser(ctx: Context, ids: readonly number[]): Promise<Map<number, StatusRecord>> {
  const rows = await findStatuses(ctx, { ids, now: ctx.clock.now() });
  return new Map(rows.map(({ user_id, ...status }) => [user_id, status]));
}

const getStatus = async (ctx: Context, userId: number): Promise<StatusRecord | { emoji: null }> =>
  (await statusesByUser(ctx, [userId])).get(userId) ?? { emoji: null };

/** The resource of `/users/:user_id/status`: an id or a username, found for everybody. */
const userByReference: Resource<{ id: number }> = {
  noun: 'User',
  params: {
    user_id: text()
      .describe('ID or username of the user.')
      .meta({ examples: ['root'] }),
  },
  async find(ctx, input: { user_id: string }) {
    const id = await findUserId(ctx, input.user_id);
    if (id === null) throw new NotFound('User');
    return { id };
  },
};

/** Read a user's status. Open to all callers. */
export const getUserStatus = operation({
  name: 'getUserStatus',
  summary: "Read a user's status",
  resource: userByReference,
  authentication: 'open',
  kind: 'read',
  scopes: ['api', 'read_api', 'read_user'],
  statements: 3,
  run: (ctx, found) => getStatus(ctx, found.id),
});

/** Read what one is doing oneself. */
export const getOwnStatus = operation({
  name: 'getOwnStatus',
  summary: "Read the caller's own status",
  resource: instance,
  kind: 'read',
  scopes: ['api', 'read_api', 'read_user'],
  statements: 2,
  run: (ctx) => getStatus(ctx, ctx.caller.user.id),
});

interface StatusInput {
  emoji?: string | null | undefined;
  message?: string | null | undefined;
  availability?: (typeof AVAILABILITY)[number] | undefined;
  clear_status_after?: string | undefined;
}

/** @throws Invalid */
function requireStatus(status: StatusRecord): void {
  const problems: Record<string, string[]> = {};
  if (!isEmojiName(status.emoji)) problems.emoji = ['is not a valid emoji name'];
  if ([...status.message].length > MAX_MESSAGE)
    problems.message = [`is too long (maximum is ${MAX_MESSAGE} characters)`];
  if (Object.keys(problems).length > 0) throw new Invalid(problems);
}

/** Stores a status, or deletes it if all fields are empty. */
async function store(
  ctx: SignedInContext,
  input: StatusInput,
  before: StatusRecord | null,
): Promise<StatusRecord | { emoji: null }> {
  const { id } = ctx.caller.user;
  const now = ctx.clock.now();
  const lasting = input.clear_status_after === undefined ? null : (LASTING[input.clear_status_after] as number);
  const status: StatusRecord = {
    emoji: (input.emoji === undefined ? before?.emoji : input.emoji) || '',
    message: (input.message === undefined ? before?.message : input.message) ?? '',
    availability: input.availability ?? before?.availability ?? 'not_set',
    clear_at: lasting === null ? (before?.clear_at ?? null) : new Date(now.getTime() + lasting),
  };
  if (status.emoji === '' && status.message.trim() === '' && status.availability === 'not_set') {
    await ctx.em.nativeDelete(UserStatus, { user_id: id });
    return { emoji: null };
  }
  status.emoji ||= DEFAULT_EMOJI;
  requireStatus(status);
  await ctx.em.upsert(UserStatus, { user_id: id, ...status }, { onConflictFields: ['user_id'] });
  return status;
}

const params = {
  emoji: clearableText().describe('Name of the emoji of the status; `speech_balloon` by default.'),
  message: clearableText().describe('Message of the status, of up to 100 characters.'),
  availability: optional(oneOf(AVAILABILITY)).describe('Availability of the user: busy or not set.'),
  clear_status_after: optional(oneOf(Object.keys(LASTING))).describe(
    'Time after which the status is cleared; never if omitted.',
  ),
};

/** Replace the caller's status: fields that are not sent are cleared; without any field the status is deleted. */
export const replaceOwnStatus = operation({
  name: 'replaceOwnStatus',
  summary: "Replace the caller's own status",
  example: { emoji: 'rocket', message: 'Flying' },
  resource: instance,
  kind: 'write',
  params,
  run: (ctx, _instance, input) => store(ctx, input, null),
});

/** Change the caller's status: fields that are not sent keep their value. */
export const changeOwnStatus = operation({
  name: 'changeOwnStatus',
  summary: "Change the caller's own status",
  example: { message: 'Flying' },
  resource: instance,
  kind: 'write',
  params,
  async run(ctx, _instance, input) {
    const { id } = ctx.caller.user;
    return store(ctx, input, (await statusesByUser(ctx, [id])).get(id) ?? null);
  },
});
