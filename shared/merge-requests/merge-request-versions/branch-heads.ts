import type { Expression } from 'kysely';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { scalar } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';
import type { MergeRequest } from '../merge-requests/merge-request.entity.js';

/** The branches that a merge request is between. */
export type Branches = Pick<MergeRequest, 'project_id' | 'source_project_id' | 'source_branch' | 'target_branch'>;

/** Where two branches are now; null for one that is not there. */
export interface BranchHeads {
  readonly source: string | null;
  readonly target: string | null;
}

interface BranchesInput {
  readonly source_project_id: number | null;
  readonly source_ref: string;
  readonly project_id: number;
  readonly target_ref: string;
}

const findHeads = prepareQuery<MergeRequestsDatabase, BranchesInput, BranchHeads>((db, input) =>
  db.selectNoFrom((eb) => {
    const getHead = (projectId: Expression<number>, fullName: Expression<string>) =>
      scalar(
        eb
          .selectFrom('repository_refs as r')
          .select('r.target_sha')
          .where('r.project_id', '=', projectId)
          .where('r.full_name', '=', fullName),
      );
    return [
      getHead(input.source_project_id as Expression<number>, input.source_ref).as('source'),
      getHead(input.project_id, input.target_ref).as('target'),
    ];
  }),
);

/** Where the branches of a merge request are now, by the index of refs: one statement. */
export async function branchHeads(ctx: Context<Caller>, branches: Branches): Promise<BranchHeads> {
  const { project_id, source_project_id: sourceId = null, source_branch, target_branch } = branches;
  const [heads] = await findHeads(ctx, {
    source_project_id: sourceId,
    source_ref: `refs/heads/${source_branch}`,
    project_id,
    target_ref: `refs/heads/${target_branch}`,
  });
  return heads ?? { source: null, target: null };
}
