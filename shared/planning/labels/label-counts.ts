import type { Kysely } from 'kysely';
import { anyIn, anyOf, arrayFrom, constant } from '../../core/database/expressions.js';
import { load } from '../../core/context/loads.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { memberOfProject } from '../../tenancy/namespaces/access.js';
import { queryForCaller } from '../../tenancy/namespaces/for-caller.js';
import type { Viewer } from '../../tenancy/namespaces/for-caller.js';
import type { Placeholders } from '../../core/database/prepared.js';
import { isVisibleProject } from '../../tenancy/projects/project.finder.js';
import { isFeatureOpen } from '../../tenancy/containers/planning-rights.js';
import type { PlanningDatabase } from '../planning.entities.js';
import type { Context } from '../../core/context/context.js';
import type { LabelRecord } from './label.entity.js';

/** What has a label, as far as the caller may see it. */
interface LabelCounts {
  readonly opened: number;
  readonly closed: number;
}

interface Ids {
  readonly ids: readonly number[];
}

/** Whether a viewer sees all confidential issues of project `p`. */
const seesConfidential = ({ admin, userId, day }: Viewer) =>
  admin ? constant(true) : memberOfProject(userId, day, ACCESS_LEVELS.planner);

/** How many issues have each label in each project, and in which of these projects a viewer may read them. */
const withReadable = (db: Kysely<PlanningDatabase>, viewer: Viewer, { ids }: Placeholders<Ids>) =>
  db
    .with(
      (cte) => cte('counted').materialized(),
      (of) =>
        of
          .selectFrom('issue_labels as il')
          .select((eb) => [
            'il.label_id',
            'il.project_id',
            'il.closed',
            'il.confidential',
            eb.fn.countAll<number>().as('issues'),
          ])
          .where('il.label_id', '=', anyOf(ids, 'bigint'))
          .groupBy(['il.label_id', 'il.project_id', 'il.closed', 'il.confidential']),
    )
    .with(
      (cte) => cte('readable').materialized(),
      (of) =>
        of
          .selectFrom('projects as p')
          .select(['p.id', seesConfidential(viewer).as('whole')])
          .where('p.id', '=', anyIn(arrayFrom(of.selectFrom('counted as c').select('c.project_id').distinct())))
          .where(isVisibleProject(viewer))
          .where(isFeatureOpen(viewer, 'issues_access_level')),
    );

/**
 * Open and closed issues by label. Label links carry the state of their issue, so that they are counted from their
 * index, by project, and permissions are only checked per project. Confidential issues count for Planners and above of
 * their project, for their authors and for their assignees.
 */
const countIssues = queryForCaller<PlanningDatabase, Ids, LabelCounts & { id: number }>((db, viewer, values) => {
  const { userId } = viewer;
  return withReadable(db, viewer, values)
    .with('visible', (of) => {
      const open = of
        .selectFrom('counted as c')
        .innerJoin('readable as r', 'r.id', 'c.project_id')
        .select(['c.label_id', 'c.closed', 'c.issues'])
        .where((eb) => eb.or([eb.ref('r.whole'), eb.not(eb.ref('c.confidential'))]));
      if (viewer.anonymous) return open;
      const own = of
        .selectFrom('issue_labels as il')
        .innerJoin('readable as r', 'r.id', 'il.project_id')
        .innerJoin('issues as i', 'i.id', 'il.issue_id')
        .select(['il.label_id', 'il.closed', constant(1).as('issues')])
        .where('il.label_id', '=', anyOf(values.ids, 'bigint'))
        .where('il.confidential', '=', constant(true))
        .where((eb) => eb.not(eb.ref('r.whole')))
        .where((eb) => {
          const assigned = eb
            .selectFrom('issue_assignees as a')
            .select(eb.lit(1).as('one'))
            .whereRef('a.issue_id', '=', 'i.id')
            .where('a.user_id', '=', userId);
          return eb.or([eb('i.author_id', '=', userId), eb.exists(assigned)]);
        });
      return open.unionAll(own);
    })
    .selectFrom('visible as v')
    .select((eb) => {
      const sum = eb.fn.sum<number>('v.issues');
      const or0 = (count: typeof sum) => eb.cast<number>(eb.fn.coalesce(count, eb.lit(0)), 'integer');
      return [
        'v.label_id as id',
        or0(sum.filterWhere((of) => of.not(of.ref('v.closed')))).as('opened'),
        or0(sum.filterWhere((of) => of.ref('v.closed'))).as('closed'),
      ];
    })
    .groupBy('v.label_id');
});

/** The counts of a page of labels, by one statement. */
export const labelCounts = load(
  ({ id }: Readonly<LabelRecord>) => id,
  async (ctx, labels): Promise<Map<number, LabelCounts>> => {
    const rows = await countIssues(ctx, { ids: labels.map(({ id }) => id) });
    return new Map(rows.map((row) => [row.id, row]));
  },
);

/** How many open merge requests that the caller may see have each of some labels; those that none has are left out. */
type OpenMergeRequests = (ctx: Context, labelIds: readonly number[]) => Promise<Map<number, number>>;

let openMergeRequests: OpenMergeRequests = () => Promise.resolve(new Map());

/** Adds the merge request counts of labels, provided by a higher domain. Called when its registry is created. */
export function countMergeRequestsOfLabels(count: OpenMergeRequests): void {
  openMergeRequests = count;
}

/** The open merge requests of a page of labels, by one statement. */
export const labelMergeRequests = load(
  ({ id }: Readonly<LabelRecord>) => id,
  (ctx, labels) =>
    openMergeRequests(
      ctx,
      labels.map(({ id }) => id),
    ),
);
