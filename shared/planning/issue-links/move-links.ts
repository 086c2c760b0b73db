import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { IssueInProject } from '../planning.events.js';

/** Transfers the links of a moved issue to the new issue (issue-links.md section 4.10). */
export async function moveIssueLinks(ctx: Context<Caller>, from: IssueInProject, to: IssueInProject): Promise<void> {
  await ctx.em
    .getKysely<PlanningDatabase>()
    .updateTable('issue_links')
    .set((eb) => {
      const redirected = (column: 'source_id' | 'target_id') =>
        eb
          .case()
          .when(column, '=', from.issue.id)
          .then(eb.cast<number>(eb.val(to.issue.id), 'bigint'))
          .else(eb.ref(column))
          .end();
      return {
        project_id: eb
          .case()
          .when('source_id', '=', from.issue.id)
          .then(eb.cast<number>(eb.val(to.issue.project_id), 'bigint'))
          .else(eb.ref('project_id'))
          .end(),
        source_id: redirected('source_id'),
        target_id: redirected('target_id'),
      };
    })
    .where((eb) => eb.or([eb('source_id', '=', from.issue.id), eb('target_id', '=', from.issue.id)]))
    .execute();
}
