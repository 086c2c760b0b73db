import type { SignedInContext } from '../../core/context/context.js';
import { isEmojiName } from '../../core/markdown/emoji.js';
import { NotFound, Unauthenticated } from '../../core/values/errors.js';
import { integer, text } from '../../core/operations/fields.js';
import type { Caller, UserOrAnonymous } from '../../core/context/callers.js';
import { operation } from '../../core/operations/operation.js';
import { requireUnmodified } from '../../core/operations/precondition.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { policy, roleIn } from '../../core/operations/policy.js';
import { readOnly } from '../../tenancy/projects/project.policy.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { userSummary } from '../../tenancy/users/user.serializer.js';
import { findAwards, emojiName, findAward } from './award-emoji.finder.js';
import type { AwardRecord } from './award-emoji.finder.js';
import { awardableEpic, awardableIssue, awardableSnippet } from './awardable.js';
import type { Awardable, AwardableType } from './awardable.js';

/** Whether the project or group of the record still accepts changes. */
const standing = ({ project, group }: Awardable): boolean => (project ? !readOnly(project) : group?.frozen === false);

const isMember = (caller: UserOrAnonymous, { project, group }: Awardable): boolean =>
  roleIn(caller, project ?? group ?? { access: 0 }, 'guest');

/** Who may award emoji to readable records and remove their own. */
const awardEmojiPolicy = policy({
  read_award_emoji: () => true,
  /** Everybody signed in; where the discussion is locked, members. */
  award_emoji: (caller: UserOrAnonymous, awardable: Awardable) =>
    !caller.anonymous && standing(awardable) && (awardable.discussion_locked !== true || isMember(caller, awardable)),
  take_back_award_emoji: (caller: UserOrAnonymous, awardable: Awardable) => !caller.anonymous && standing(awardable),
});

const awardParam = { award_id: integer().describe('ID of the emoji reaction.') };

/**
 * Awards an emoji. Locks the record so that a user cannot award the same emoji twice.
 * @throws NotFound with the public API's message for an unknown emoji name or one that the caller has already awarded
 */
async function give(
  ctx: SignedInContext,
  type: AwardableType,
  { id, project, group }: Awardable,
  emoji: string,
): Promise<AwardRecord> {
  const name = emojiName(emoji);
  if (!isEmojiName(name)) throw new NotFound('Award Emoji Name is not a valid emoji name');
  const now = ctx.clock.now();
  const { awards, record_id, container_id } = type.tables;
  const db = ctx.em.getKysely<PlanningDatabase>();
  const row = await db
    .insertInto(awards)
    .columns([container_id, record_id, 'user_id', 'name', 'created_at', 'updated_at'])
    .expression((eb) => {
      const existingAward = eb
        .selectFrom(`${awards} as e`)
        .select(eb.lit(1).as('one'))
        .where(`e.${record_id}`, '=', id)
        .where('e.user_id', '=', ctx.caller.id)
        .where('e.name', '=', name);
      const value = <T>(raw: T, type: 'bigint' | 'text' | 'timestamptz') => eb.cast<T>(eb.val(raw), type);
      return db
        .selectNoFrom([
          value((project ?? group)?.id as number, 'bigint').as('container_id'),
          value(id, 'bigint').as('record_id'),
          value(ctx.caller.id, 'bigint').as('user_id'),
          value(name, 'text').as('name'),
          value(now, 'timestamptz').as('created_at'),
          value(now, 'timestamptz').as('updated_at'),
        ])
        .where(eb.not(eb.exists(existingAward)));
    })
    .returning('id')
    .executeTakeFirst();
  if (!row) throw new NotFound('Award Emoji Name has already been taken');
  return findAward(ctx, type, { id }, row.id);
}

/** Removes an award emoji: its author and administrators. @throws Unauthenticated for others, as in the public API */
async function takeBack(ctx: SignedInContext, type: AwardableType, awardable: Awardable, id: number): Promise<void> {
  const award = await findAward(ctx, type, awardable, id);
  if (award.user.id !== ctx.caller.id && !ctx.caller.admin) throw new Unauthenticated();
  requireUnmodified(ctx, award);
  await ctx.em.getKysely<PlanningDatabase>().deleteFrom(type.tables.awards).where('id', '=', id).execute();
}

/**
 * The operations on the award emoji of one kind of record.
 * @param noun used in the operation names if it differs from the noun used in responses
 */
export function awardOperations<A extends Awardable>(type: AwardableType<A>, noun = type.noun) {
  const { nounPhrase, resource, reads } = type;
  const able = (ability: keyof typeof awardEmojiPolicy) => ({
    ability,
    rule: (caller: Caller, found: A) => awardEmojiPolicy[ability](caller, found) && reads(caller, found),
  });
  const planned = type.plan ? { plan: type.plan } : {};
  const of = type as unknown as AwardableType;
  const readable = {
    resource,
    ...planned,
    can: able('read_award_emoji'),
    authentication: 'open',
    kind: 'read',
  } as const;
  return {
    list: operation({
      name: `list${noun}AwardEmoji`,
      ...readable,
      summary: `List the emoji that ${nounPhrase} was given`,
      statements: 5,
      run: (_ctx, found) => Promise.resolve(findAwards(of, found)),
    }),

    get: operation({
      name: `get${noun}AwardEmoji`,
      ...readable,
      summary: `Read an emoji that ${nounPhrase} was given`,
      statements: 5,
      params: awardParam,
      run: (ctx, found, { award_id }) => findAward(ctx, of, found, award_id),
    }),

    award: operation({
      name: `award${noun}Emoji`,
      summary: `Give an emoji to ${nounPhrase}`,
      resource,
      ...planned,
      can: able('award_emoji'),
      denial: () => new NotFound('Award Emoji'),
      kind: 'write',
      params: {
        name: text()
          .describe('Name of the emoji, without colons.')
          .meta({ examples: ['thumbsup'] }),
      },
      run: (ctx, found, { name }) => give(ctx, of, found, name),
    }),

    takeBack: operation({
      name: `delete${noun}AwardEmoji`,
      summary: `Take an emoji back from ${nounPhrase}`,
      resource,
      ...planned,
      can: able('take_back_award_emoji'),
      kind: 'write',
      params: awardParam,
      run: (ctx, found, { award_id }) => takeBack(ctx, of, found, award_id),
    }),
  };
}

/** What there is for one kind of records. */
export type AwardOperations<A extends Awardable> = ReturnType<typeof awardOperations<A>>;

/** Emoji on issues, on epics, and on snippets of projects. */
export const issueAwardOperations = awardOperations(awardableIssue);
export const epicAwardOperations = awardOperations(awardableEpic);
export const snippetAwardOperations = awardOperations(awardableSnippet);

/** An award emoji; only custom emoji of a group would have a URL. */
export const awardSerializer = serializer<AwardRecord>('AwardEmoji', {
  id: out.integer((award) => award.id),
  name: out.text((award) => award.name),
  user: out.record(userSummary, (award) => award.user),
  created_at: out.instant((award) => award.created_at),
  updated_at: out.instant((award) => award.updated_at),
  awardable_id: out.integer((award) => award.awardable_id),
  awardable_type: out.text((award) => award.awardable_type),
  url: out.nullableText(() => null),
});
