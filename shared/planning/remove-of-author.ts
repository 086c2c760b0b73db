import type { Context } from '../core/context/context.js';
import type { RemovedIssue } from './planning.events.js';
import type { PlanningDatabase } from './planning.entities.js';
import { updateOpenIssueCounts } from './issues/open-issues-count.js';

/**
 * Deletes a batch of issues of an author who is removed together with all contributions.
 * @returns whether there may be more
 */
export async function removeIssuesOf(ctx: Context, userId: number, limit: number): Promise<boolean> {
  const gone: RemovedIssue[] = await ctx.em
    .getKysely<PlanningDatabase>()
    .deleteFrom('issues')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('issues as i')
        .select('i.id')
        .where('i.author_id', '=', userId)
        .orderBy('i.id')
        .limit(limit)
        .forUpdate(),
    )
    .returning(['project_id', 'state', 'confidential', 'issue_type', 'created_at', 'closed_at'])
    .execute();
  await updateOpenIssueCounts(ctx, gone, []);
  if (gone.length > 0) ctx.record({ type: 'issues.removed', issues: gone });
  return gone.length === limit;
}

/**
 * Deletes a batch of epics of an author who is removed together with all contributions; their child epics remain.
 * @returns whether there may be more
 */
export async function removeEpicsOf(ctx: Context, userId: number, limit: number): Promise<boolean> {
  const gone = await ctx.em
    .getKysely<PlanningDatabase>()
    .deleteFrom('epics')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('epics as i')
        .select('i.id')
        .where('i.author_id', '=', userId)
        .orderBy('i.id')
        .limit(limit)
        .forUpdate(),
    )
    .returning('id')
    .execute();
  return gone.length === limit;
}

/**
 * Deletes a batch of snippets of an author who is removed together with all contributions, and their repositories.
 * @returns whether there may be more
 */
export async function removeSnippetsOf(ctx: Context, userId: number, limit: number): Promise<boolean> {
  const gone = await ctx.em
    .getKysely<PlanningDatabase>()
    .deleteFrom('snippets')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('snippets as s')
        .select('s.id')
        .where('s.author_id', '=', userId)
        .orderBy('s.id')
        .limit(limit)
        .forUpdate(),
    )
    .returning('id')
    .execute();
  return gone.length === limit;
}
