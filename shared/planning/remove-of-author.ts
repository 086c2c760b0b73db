import type { Context } from '../core/context/context.js';
import type { RemovedIssue } from './planning.events.js';
import type { PlanningDatabase } from './planning.entities.js';
import { updateOpenIssueCounts } from './issues/open-issues-count.js';

/**
 * Removes some issues of an author who is removed with all that they wrote.
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
 * Removes some epics of an author who is removed with all that they wrote; what was below them stays.
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
 * Removes some snippets of an author who is removed with all that they wrote; their repositories go with them.
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
