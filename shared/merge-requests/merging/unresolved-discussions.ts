import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { MergeFacts } from '../merge-requests/detailed-merge-status.js';
import { addMergeFacts } from '../merge-requests/merge-facts.js';

/** Those of some merge requests that have discussions which are not resolved. */
type Unresolved = (ctx: Context, ids: readonly number[]) => Promise<ReadonlySet<number>>;

const sources: Unresolved[] = [];

/**
 * Has discussions that are not resolved stop merges where the project wants it. Called where the registry of a domain
 * with discussions is made.
 * @public
 */
export function addUnresolvedDiscussions(source: Unresolved): void {
  sources.push(source);
}

/** Of those whose project wants all discussions resolved. */
const strict = (ctx: Context, ids: readonly number[]): Promise<{ id: number }[]> =>
  ctx.query<{ id: number }>(sql`
    select i.id as "id" from merge_requests i join project_settings s on s.project_id = i.project_id
     where i.id = any(${ids}::bigint[]) and s.only_allow_merge_if_all_discussions_are_resolved`);

/** Called where the domain's registry is made. */
export function addDiscussionsToMergeFacts(): void {
  addMergeFacts(async (ctx, requests) => {
    const facts = new Map<number, Partial<MergeFacts>>();
    if (sources.length === 0) return facts;
    const ids = (
      await strict(
        ctx,
        requests.map(({ id }) => id),
      )
    ).map(({ id }) => id);
    if (ids.length === 0) return facts;
    for (const found of await Promise.all(sources.map((source) => source(ctx, ids))))
      for (const id of found) facts.set(id, { discussions_open: true });
    return facts;
  });
}
