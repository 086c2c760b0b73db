import type { Expression, Kysely } from 'kysely';
import { anyOf } from '../../core/database/expressions.js';
import type { Queryable } from '../../core/database/database.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { CiDatabase } from '../ci.entities.js';

const listAssigned = prepareQuery(
  (
    db: Kysely<CiDatabase>,
    values: Placeholders<{ project_id: number; runner_ids: readonly number[] }> & { project_id: Expression<number> },
  ) =>
    db
      .selectFrom('runner_projects as x')
      .select('x.runner_id')
      .where('x.project_id', '=', values.project_id)
      .where('x.runner_id', '=', anyOf(values.runner_ids, 'bigint')),
);

/** Those of some runners that are assigned to a project. */
export async function listAssignedRunners(
  db: Queryable,
  projectId: number,
  runnerIds: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await listAssigned(db, { project_id: projectId, runner_ids: runnerIds });
  return new Set(rows.map(({ runner_id }) => runner_id));
}
