import { sql } from 'kysely';
import type { Context } from '../../core/context/context.js';
import type { PlanningDatabase } from '../planning.entities.js';

type Counted = Pick<
  { project_id: number; state: string; confidential: boolean },
  'project_id' | 'state' | 'confidential'
>;

interface Difference {
  opened: number;
  confidential: number;
}

/**
 * Which part of a project's counts a transaction writes: one of its connection, so that writers of one project rarely
 * wait for each other. The count is the sum of all parts; a part alone may be below 0.
 */
export const COUNT_PART = sql<number>`(pg_backend_pid() % 16)::smallint`;

/**
 * Updates the open issue counts of projects after issues changed. Runs last in the transaction, since it locks the
 * counts from here on, and in the order of the projects, to prevent deadlocks.
 * @param before the previous state; without new issues
 * @param after the current state; without deleted issues
 */
export async function updateOpenIssueCounts(
  ctx: Context,
  before: readonly Counted[],
  after: readonly Counted[],
): Promise<void> {
  const differences = new Map<number, Difference>();
  const add = ({ project_id: id, state, confidential }: Counted, sign: number) => {
    if (state !== 'opened') return;
    const difference = differences.get(id) ?? { opened: 0, confidential: 0 };
    differences.set(id, {
      opened: difference.opened + sign,
      confidential: difference.confidential + (confidential ? sign : 0),
    });
  };
  for (const one of before) add(one, -1);
  for (const one of after) add(one, 1);
  const changed = [...differences]
    .filter(([, { opened, confidential }]) => opened !== 0 || confidential !== 0)
    .sort(([a], [b]) => a - b);
  if (changed.length === 0) return;
  const rows = changed.map(([id, by]) => ({
    project_id: id,
    part: COUNT_PART,
    opened: by.opened,
    opened_confidential: by.confidential,
  }));
  await ctx.em
    .getKysely<PlanningDatabase>()
    .insertInto('project_issue_counts')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'part']).doUpdateSet((eb) => ({
        opened: eb('project_issue_counts.opened', '+', eb.ref('excluded.opened')),
        opened_confidential: eb(
          'project_issue_counts.opened_confidential',
          '+',
          eb.ref('excluded.opened_confidential'),
        ),
      })),
    )
    .execute();
}
