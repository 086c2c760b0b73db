import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';

/**
 * Merge requests that may not be merged while threads on them are open, of projects that ask for all of them to be
 * resolved (`only_allow_merge_if_all_discussions_are_resolved`, discussions-and-notes.md section 5.6): for a page of
 * merge requests, by their ids; those that nothing keeps are left out.
 */
export async function openDiscussions(
  ctx: Context,
  requests: readonly { readonly id: number }[],
): Promise<Map<number, { discussions_open: true }>> {
  const rows = await ctx.query<{ id: number }>(sql`
    select i.id as "id" from merge_requests i join project_settings s on s.project_id = i.project_id
     where i.id = any(${requests.map(({ id }) => id)}::bigint[])
       and s.only_allow_merge_if_all_discussions_are_resolved
       and exists (select 1 from notes n
         where n.merge_request_id = i.id and n.type is not null and not n.system and n.resolved_at is null)`);
  return new Map(rows.map(({ id }) => [id, { discussions_open: true }]));
}
