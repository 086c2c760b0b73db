import { sql } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { load } from '../../core/context/loads.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { projectIssuePolicy } from './issue.policy.js';

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
 * Follows a change of issues in the counts of open ones of their projects: last in the transaction, since others may
 * wait from here on, and in the order of the projects, so that nobody waits in a circle.
 * @param before as they were; those that are new are left out
 * @param after as they are; those that are gone are left out
 */
export async function followOpenIssues(
  ctx: Context,
  before: readonly Counted[],
  after: readonly Counted[],
): Promise<void> {
  const differences = new Map<number, Difference>();
  const add = ({ project_id: id, state, confidential }: Counted, sign: number) => {
    if (state !== 'opened') return;
    const known = differences.get(id) ?? { opened: 0, confidential: 0 };
    differences.set(id, {
      opened: known.opened + sign,
      confidential: known.confidential + (confidential ? sign : 0),
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

interface OpenIssues {
  project_id: number;
  opened: number;
  opened_confidential: number;
}

const countOpenIssues = prepareQuery<PlanningDatabase, { ids: readonly number[] }, OpenIssues>((db, { ids }) =>
  db
    .selectFrom('project_issue_counts as c')
    .where('c.project_id', '=', anyOf(ids, 'bigint'))
    .groupBy('c.project_id')
    .select((eb) => [
      'c.project_id',
      eb.fn.sum<number>('c.opened').as('opened'),
      eb.fn.sum<number>('c.opened_confidential').as('opened_confidential'),
    ]),
);

/** Open issues of projects: all for Planners and above, those that are not confidential for others, as the public API. */
export const openIssueCounts = load(
  (project: Readonly<ProjectRecord>) => project.id,
  async (ctx, projects): Promise<Map<number, number>> => {
    const rows = await countOpenIssues(ctx, { ids: projects.map(({ id }) => id) });
    const known = new Map(rows.map((row) => [row.project_id, row]));
    return new Map(
      projects.map((project) => {
        const { opened, opened_confidential: hidden } = known.get(project.id) ?? { opened: 0, opened_confidential: 0 };
        return [
          project.id,
          projectIssuePolicy.read_confidential_issues(ctx.caller, project) ? opened : opened - hidden,
        ];
      }),
    );
  },
);
