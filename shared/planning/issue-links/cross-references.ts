import type { Context } from '../../core/context/context.js';
import { columns, nested } from '../../core/database/columns.js';
import { anyOf } from '../../core/database/expressions.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { GroupSummary, ProjectSummary } from '../../tenancy/tenancy.events.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { Issue } from '../issues/issue.entity.js';

/** What mentions issues: an issue, a merge request, an epic, or a commit of a project. */
export type MentioningSource =
  | { readonly issue: Issue; readonly project: ProjectSummary }
  | { readonly merge_request: { readonly id: number; readonly iid: number }; readonly project: ProjectSummary }
  | { readonly epic: { readonly id: number; readonly iid: number }; readonly group: GroupSummary }
  | { readonly commit: string; readonly project: ProjectSummary };

type Target = Issue & { readonly project: ProjectSummary };

/** Issues, with the projects they lie in. */
function findTargets(ctx: Context, ids: readonly number[]): Promise<Target[]> {
  return ctx.em
    .getKysely<PlanningDatabase>()
    .selectFrom('issues as i')
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .select((eb) => [
      ...columns(Issue, 'i'),
      ...nested('project', Project, 'p', { only: ['id', 'namespace_id'], more: { full_path: eb.ref('r.path') } }),
    ])
    .where('i.id', '=', anyOf(ids, 'bigint'))
    .orderBy('i.id')
    .execute();
}

/** Notes which of the issues a source has not mentioned before. Answers their ids. */
async function noteNew(ctx: Context, source: MentioningSource, ids: readonly number[]): Promise<number[]> {
  const own = 'issue' in source ? source.issue.id : null;
  const request = 'merge_request' in source ? source.merge_request.id : null;
  const epic = 'epic' in source ? source.epic.id : null;
  const [projectId, sha] = 'commit' in source ? [source.project.id, source.commit] : [null, null];
  const now = ctx.clock.now();
  const rows = await ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto('issue_cross_references')
    .columns([
      'project_id',
      'issue_id',
      'source_issue_id',
      'source_merge_request_id',
      'source_epic_id',
      'source_project_id',
      'source_sha',
      'created_at',
    ])
    .expression((eb) => {
      const getId = (id: number | null) => eb.cast<number | null>(eb.val(id), 'bigint');
      return eb
        .selectFrom('issues as i')
        .select([
          'i.project_id',
          'i.id',
          getId(own).as('source_issue_id'),
          getId(request).as('source_merge_request_id'),
          getId(epic).as('source_epic_id'),
          getId(projectId).as('source_project_id'),
          eb.cast<string | null>(eb.val(sha), 'text').as('source_sha'),
          eb.cast<Date>(eb.val(now), 'timestamptz').as('created_at'),
        ])
        .where('i.id', '=', anyOf(ids, 'bigint'))
        .where('i.id', 'is distinct from', getId(own))
        .orderBy('i.id');
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('issue_id as id')
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Records that a source mentions issues visible to its author, and publishes an event for newly mentioned ones.
 * @param untold issues without an event, because the source closes them
 * @returns the ids of the newly mentioned issues
 */
export async function noteCrossReferences(
  ctx: Context,
  source: MentioningSource,
  ids: readonly number[],
  untold: ReadonlySet<number> = new Set(),
): Promise<number[]> {
  if (ids.length === 0) return [];
  const fresh = await noteNew(ctx, source, ids);
  const mentionedIds = fresh.filter((id) => !untold.has(id));
  if (mentionedIds.length > 0)
    for (const { project, ...issue } of await findTargets(ctx, mentionedIds))
      ctx.record({ type: 'issue.mentioned', target: { issue, project }, source });
  return fresh;
}
