import type { Context } from '../../core/context/context.js';
import { unnestedRows } from '../../core/database/expressions.js';
import type { MergeRequestsDatabase } from '../merge-requests.entities.js';

interface Counted {
  readonly project_id: number;
  readonly state: string;
}

/** One that is being merged is not done yet. */
const isOpen = (state: string) => state === 'opened' || state === 'locked';

/**
 * Follows a change of merge requests in the counts of open ones of their projects: last in the transaction, since
 * writers of a project wait for each other from here on, and in the order of the projects.
 * @param before as they were; those that are new are left out
 * @param after as they are; those that are gone are left out
 */
export async function updateOpenMergeRequestCounts(
  ctx: Context,
  before: readonly Counted[],
  after: readonly Counted[],
): Promise<void> {
  const differences = new Map<number, number>();
  const add = ({ project_id: id, state }: Counted, sign: number) => {
    if (isOpen(state)) differences.set(id, (differences.get(id) ?? 0) + sign);
  };
  for (const one of before) add(one, -1);
  for (const one of after) add(one, 1);
  const changed = [...differences]
    .filter(([, by]) => by !== 0)
    .map(([id, by]) => ({ project_id: id, opened: by }))
    .sort((a, b) => a.project_id - b.project_id);
  if (changed.length === 0) return;
  await ctx.em
    .getKysely<MergeRequestsDatabase>()
    .insertInto('project_merge_request_counts')
    .columns(['project_id', 'opened'])
    .expression((eb) =>
      eb
        .selectFrom(unnestedRows(changed, { project_id: 'bigint', opened: 'int' }).as('u'))
        .select(['u.project_id', 'u.opened']),
    )
    .onConflict((conflict) =>
      conflict
        .column('project_id')
        .doUpdateSet((eb) => ({ opened: eb('project_merge_request_counts.opened', '+', eb.ref('excluded.opened')) })),
    )
    .execute();
}
