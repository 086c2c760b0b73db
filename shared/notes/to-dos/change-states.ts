import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { SignedInContext } from '../../core/context/context.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { NotesDatabase } from '../notes.entities.js';
import { joinTargets } from './visible-to-dos.js';
import type { OfToDos } from './visible-to-dos.js';

type State = 'pending' | 'done';

/** Marks those of the caller's pending to-dos as done that match, whether they can read them or not. One statement. */
export async function markDone(ctx: SignedInContext, where: readonly Expression<SqlBool>[]): Promise<void> {
  const own = expressionBuilder<OfToDos>()
    .selectFrom('todos as t')
    .where('t.user_id', '=', ctx.caller.id)
    .where('t.state', '=', constant<State>('pending'));
  const matching = where.length === 0 ? own : joinTargets(own);
  await ctx.em
    .getKysely<NotesDatabase>()
    .updateTable('todos')
    .set({ state: 'done', updated_at: ctx.clock.now() })
    .where('id', 'in', matching.where((eb) => eb.and([...where])).select('t.id'))
    .execute();
}

/** What the same to-dos have in common: one of them is pending at most. */
const SAME = ['project_id', 'issue_id', 'merge_request_id', 'epic_id', 'commit_sha'] as const;

/**
 * Makes those of the caller's to-dos pending that are done, unless the same is pending; of several that are the same,
 * the newest. One statement.
 * @returns the ids of those that became pending
 */
export async function restore(ctx: SignedInContext, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const restored = await ctx.em
    .getKysely<NotesDatabase>()
    .updateTable('todos as t')
    .set({ state: 'pending', updated_at: ctx.clock.now() })
    .where('t.id', '=', anyOf(ids, 'bigint'))
    .where('t.user_id', '=', ctx.caller.id)
    .where('t.state', '=', constant<State>('done'))
    .where((eb) => {
      const same = eb
        .selectFrom('todos as x')
        .select(eb.lit(1).as('one'))
        .whereRef('x.user_id', '=', 't.user_id')
        .whereRef('x.action', '=', 't.action')
        .where((on) => on.and(SAME.map((name) => on(`x.${name}`, 'is not distinct from', on.ref(`t.${name}`)))))
        .where((on) =>
          on.or([
            on('x.state', '=', constant<State>('pending')),
            on.and([on('x.id', '=', anyOf(ids, 'bigint')), on('x.id', '>', on.ref('t.id'))]),
          ]),
        );
      return eb.not(eb.exists(same));
    })
    .returning('t.id')
    .execute();
  return new Set(restored.map(({ id }) => id));
}
