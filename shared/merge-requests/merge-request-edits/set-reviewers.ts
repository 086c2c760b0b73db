import type { Context } from '../../core/context/context.js';
import { anyOf, unnested } from '../../core/database/expressions.js';
import type { IssuableRef } from '../../planning/issuables/issuable-type.js';
import type { UserSummary } from '../../tenancy/users/user.entity.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import type { MergeRequestChange } from '../merge-requests.events.js';

/** Gives a merge request other reviewers; those who stay are as far as they were. @returns what changed */
export async function setReviewers(
  ctx: Context,
  { id, project_id }: IssuableRef,
  { before, after }: { before: readonly UserSummary[]; after: readonly UserSummary[] },
): Promise<MergeRequestChange[]> {
  const had = new Set(before.map((user) => user.id));
  const has = new Set(after.map((user) => user.id));
  const added = after.filter((user) => !had.has(user.id));
  const removed = before.filter((user) => !has.has(user.id));
  if (added.length + removed.length === 0) return [];
  const db = ctx.em.getKysely<MergeRequestsDatabase>();
  const getIds = (users: readonly UserSummary[]) => users.map((user) => user.id).sort((a, b) => a - b);
  if (removed.length > 0)
    await db
      .deleteFrom('merge_request_reviewers')
      .where('merge_request_id', '=', id)
      .where('user_id', '=', anyOf(getIds(removed), 'bigint'))
      .execute();
  if (added.length > 0)
    await db
      .insertInto('merge_request_reviewers')
      .columns(['project_id', 'merge_request_id', 'user_id', 'created_at'])
      .expression((eb) =>
        eb
          .selectFrom(unnested(getIds(added), 'bigint').as('u'))
          .select([
            eb.cast<number>(eb.val(project_id), 'bigint').as('project_id'),
            eb.cast<number>(eb.val(id), 'bigint').as('merge_request_id'),
            'u.value as user_id',
            eb.cast<Date>(eb.val(ctx.clock.now()), 'timestamptz').as('created_at'),
          ]),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  return [{ attribute: 'reviewers', added, removed }];
}
