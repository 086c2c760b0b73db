import type { Caller } from '../../core/callers.js';
import type { Context } from '../../core/context.js';
import { sql } from '../../core/sql.js';
import type { MergeRequest } from '../merge-requests/merge-request.entity.js';

/** The branches that a merge request is between. */
export type Branches = Pick<MergeRequest, 'project_id' | 'source_project_id' | 'source_branch' | 'target_branch'>;

/** Where two branches are now; null for one that is not there. */
export interface BranchHeads {
  readonly source: string | null;
  readonly target: string | null;
}

/** Where the branches of a merge request are now, by the index of refs: one statement. */
export async function branchHeads(ctx: Context<Caller>, branches: Branches): Promise<BranchHeads> {
  const { project_id, source_project_id: sourceId = null, source_branch, target_branch } = branches;
  const heads = await ctx.queryOne<BranchHeads>(sql`
    select (select s.target_sha from repository_refs s
             where s.project_id = ${sourceId}::bigint and s.full_name = ${`refs/heads/${source_branch}`}) as "source",
           (select t.target_sha from repository_refs t
             where t.project_id = ${project_id} and t.full_name = ${`refs/heads/${target_branch}`}) as "target"`);
  return heads ?? { source: null, target: null };
}
