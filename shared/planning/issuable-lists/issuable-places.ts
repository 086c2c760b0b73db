import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import { anyOf } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { GroupRecord } from '../../tenancy/groups/group.record.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { anyBelow } from '../planning-rights/below-group.js';

type OfLabels = Aliased<PlanningDatabase, { l: 'labels'; p: 'projects' }>;
const onLabels = expressionBuilder<OfLabels, 'l' | 'p'>();
const one = onLabels.lit(1).as('one');

/** That project `p` is not archived: it counts as that with its group too. */
export const notArchived: Expression<SqlBool> = onLabels.and([
  onLabels.not(onLabels.ref('p.archived')),
  onLabels.not(
    onLabels.exists(
      onLabels
        .selectFrom('namespaces as n')
        .select(one)
        .whereRef('n.id', '=', 'p.namespace_id')
        .where((eb) => eb.ref('n.archived')),
    ),
  ),
]);

/** The labels `l` that things in a project can have. */
export const labelsInProject = (found: ProjectRecord): Expression<SqlBool> =>
  onLabels.or([
    onLabels('l.project_id', '=', found.id),
    onLabels('l.namespace_id', '=', anyOf(found.namespace.traversal_ids, 'bigint')),
  ]);

/** That project `p` lies in a group or below it. */
export const inGroup = (found: GroupRecord): Expression<SqlBool> => onLabels('p.namespace_id', '=', anyBelow(found.id));

/** The labels `l` that things in the projects in and below a group can have. */
export function labelsInGroup(found: GroupRecord): Expression<SqlBool> {
  const projects = onLabels.selectFrom('projects as p').select('p.id').where(inGroup(found));
  return onLabels.or([
    onLabels('l.namespace_id', '=', anyOf(found.traversal_ids, 'bigint')),
    onLabels('l.namespace_id', '=', anyBelow(found.id)),
    onLabels('l.project_id', 'in', projects),
  ]);
}
