import { expressionBuilder } from 'kysely';
import type { Expression, Kysely, SqlBool } from 'kysely';
import { anyOf } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Placeholders } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { LabelsAmong } from '../issuables/labels-of-titles.js';
import type { Label } from '../labels/label.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { anyBelow } from '../../tenancy/containers/below-group.js';

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

/** That project `p` lies in a group or below it. */
export const inGroup = (found: GroupRecord): Expression<SqlBool> => onLabels('p.namespace_id', '=', anyBelow(found.id));

type LabelRow = Pick<Label, 'id' | 'title'>;

interface OfTitles {
  readonly titles: readonly string[];
}

const getLabels = (db: Kysely<PlanningDatabase>, { titles }: Placeholders<OfTitles>) =>
  db.selectFrom('labels as l').select(['l.id', 'l.title']).where('l.title', '=', anyOf(titles, 'text'));

/** The labels that things in any project can have. */
export const labelsAnywhere: LabelsAmong = prepareQuery<PlanningDatabase, OfTitles, LabelRow>(getLabels);

interface InProject extends OfTitles {
  readonly project_id: number;
  readonly namespace_ids: readonly number[];
}

const findInProject = prepareQuery<PlanningDatabase, InProject, LabelRow>((db, values) =>
  getLabels(db, values).where((eb) =>
    eb.or([
      eb('l.project_id', '=', values.project_id),
      eb('l.namespace_id', '=', anyOf(values.namespace_ids, 'bigint')),
    ]),
  ),
);

/** The labels that things in a project can have. */
export const labelsInProject =
  ({ id, namespace }: ProjectRecord): LabelsAmong =>
  (ctx, { titles }) =>
    findInProject(ctx, { titles, project_id: id, namespace_ids: namespace.traversal_ids });

interface InGroup extends OfTitles {
  readonly id: number;
  readonly namespace_ids: readonly number[];
}

/** Labels of a group, of those above it and of those below it. */
const ofGroups = (values: Placeholders<InGroup>) =>
  onLabels.or([
    onLabels('l.namespace_id', '=', anyOf(values.namespace_ids, 'bigint')),
    onLabels('l.namespace_id', '=', anyBelow(values.id)),
  ]);

const findOfGroups = prepareQuery<PlanningDatabase, InGroup, LabelRow>((db, values) =>
  getLabels(db, values).where(ofGroups(values)),
);

const findInGroup = prepareQuery<PlanningDatabase, InGroup, LabelRow>((db, values) =>
  getLabels(db, values).where((eb) => {
    const below = eb.selectFrom('projects as p').select('p.id').where('p.namespace_id', '=', anyBelow(values.id));
    return eb.or([ofGroups(values), eb('l.project_id', 'in', below)]);
  }),
);

/** The labels of a group, and of those above and below it. */
export const labelsOfGroups =
  ({ id, traversal_ids: ids }: GroupRecord): LabelsAmong =>
  (ctx, { titles }) =>
    findOfGroups(ctx, { titles, id, namespace_ids: ids });

/** The labels that things in the projects in and below a group can have. */
export const labelsInGroup =
  ({ id, traversal_ids: ids }: GroupRecord): LabelsAmong =>
  (ctx, { titles }) =>
    findInGroup(ctx, { titles, id, namespace_ids: ids });
