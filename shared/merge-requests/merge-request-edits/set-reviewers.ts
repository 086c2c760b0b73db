import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { IssuableRef } from '../../planning/issuables/issuable-type.js';
import type { UserSummary } from '../../tenancy/users/user.record.js';
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
  if (removed.length > 0)
    await ctx.query(sql`
      delete from merge_request_reviewers x
       where x.merge_request_id = ${id} and x.user_id = any(${removed.map((user) => user.id)}::bigint[])`);
  if (added.length > 0)
    await ctx.query(sql`
      insert into merge_request_reviewers (project_id, merge_request_id, user_id, created_at)
      select ${project_id}, ${id}, u.id, ${ctx.clock.now()}
        from unnest(${added.map((user) => user.id).toSorted((a, b) => a - b)}::bigint[]) as u (id)
      on conflict do nothing`);
  return [{ attribute: 'reviewers', added, removed }];
}
