import type { Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { unnested } from '../../core/database/expressions.js';
import { Invalid } from '../../core/values/errors.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { onTopics } from './topic-counts.js';

const MOST = 255;

/** Normalizes names for storage: trimmed, not empty, case-insensitively unique. */
export function topicNames(topics: readonly string[]): string[] {
  const names = new Map<string, string>();
  for (const name of topics.map((text) => text.trim()))
    if (name !== '' && !names.has(name.toLowerCase())) names.set(name.toLowerCase(), name);
  return [...names.values()];
}

/** The problem with topics, or null. */
export function topicsProblem(names: readonly string[]): string | null {
  if (names.some((name) => [...name].length > MOST)) return `is too long (maximum is ${MOST} characters)`;
  return names.some((name) => /[\r\n]/.test(name)) ? 'has characters that are not allowed' : null;
}

/**
 * Condition that topic `t` has one of these names. Case folding is left to the database, which disagrees with
 * JavaScript about letters such as İ and ς.
 */
function isOneOf(names: readonly string[]): Expression<SqlBool> {
  const keys = onTopics
    .selectFrom(unnested(names, 'text').as('u'))
    .select((eb) => eb.fn<string>('lower', ['u.value']).as('key'));
  return onTopics(onTopics.fn<string>('lower', ['t.name']), 'in', keys);
}

/** Creates missing topics, in a fixed order so that concurrent requests for the same topics wait for each other. */
async function makeTopics(ctx: Context, names: readonly string[]): Promise<void> {
  const now = ctx.clock.now();
  await ctx.em
    .getKysely<TenancyDatabase>()
    .insertInto('topics')
    .columns(['name', 'title', 'created_at', 'updated_at'])
    .expression((eb) => {
      const at = eb.cast<Date>(eb.val(now), 'timestamptz');
      return eb
        .selectFrom(unnested(names, 'text').as('u'))
        .select(['u.value as name', 'u.value as title', at.as('created_at'), at.as('updated_at')])
        .orderBy((of) => of.fn('lower', ['u.value']));
    })
    .onConflict((conflict) => conflict.expression(onTopics.fn('lower', ['name'])).doNothing())
    .execute();
}

/**
 * Sets a project's topics to exactly these, creating missing ones. A topic keeps its original spelling.
 * @throws Invalid
 */
export async function setTopics(ctx: Context, projectId: number, topics: readonly string[]): Promise<void> {
  const names = topicNames(topics);
  const problem = topicsProblem(names);
  if (problem) throw new Invalid({ topics: [problem] });
  const db = ctx.em.getKysely<TenancyDatabase>();
  const isListed = isOneOf(names);
  if (names.length > 0) await makeTopics(ctx, names);
  await db
    .deleteFrom('project_topics as pt')
    .using('topics as t')
    .whereRef('t.id', '=', 'pt.topic_id')
    .where('pt.project_id', '=', projectId)
    .where((eb) => eb.not(isListed))
    .execute();
  if (names.length === 0) return;
  await db
    .insertInto('project_topics')
    .columns(['project_id', 'topic_id'])
    .expression((eb) =>
      eb
        .selectFrom('topics as t')
        .where(isListed)
        .select([eb.cast<number>(eb.val(projectId), 'bigint').as('project_id'), 't.id as topic_id'])
        .orderBy('t.id'),
    )
    .onConflict((conflict) => conflict.columns(['project_id', 'topic_id']).doNothing())
    .execute();
}
