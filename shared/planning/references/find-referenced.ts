import { expressionBuilder } from 'kysely';
import type { AliasableExpression, Expression } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyIn, constant, scalar, unnestedRows } from '../../core/database/expressions.js';
import { readRows } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import type { MarkdownReference } from '../../core/markdown/reference-source.js';
import { visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';
import { featureOpen } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { ReferencedProjects } from '../../tenancy/containers/referenced-projects.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { visibleIssues } from '../issues/visible-issues.js';

/** An issue, label or milestone that a text refers to. */
export interface Referenced {
  readonly kind: 'issue' | 'label' | 'milestone';
  readonly id: number;
  /** Of labels 0. */
  readonly iid: number;
  readonly title: string;
  readonly description: string | null;
  readonly color: string | null;
  /** Set for issues, and for records displayed in a project. */
  readonly project_id: number | null;
  readonly namespace_id: number;
  /** The path of the project or group in which it is displayed; for milestones, of their owner. */
  readonly full_path: string;
  readonly in_group: boolean;
}

/** A reference with the project, or the group by id or path, in which it is resolved. */
interface LocatedReference {
  readonly reference: MarkdownReference;
  readonly project: ProjectRecord | undefined;
  readonly groupId: number | null;
  readonly groupPath: string | null;
}

/** Labels and milestones belong to issues and merge requests: callers who see neither feature see none of them. */
const showsLabels = (ctx: Context, project: ProjectRecord) =>
  featureOpen(ctx.caller, project, project.issues_access_level) ||
  featureOpen(ctx.caller, project, project.merge_requests_access_level);

function locateReference(
  ctx: Context,
  projects: ReferencedProjects,
  reference: MarkdownReference,
): LocatedReference | null {
  const project = projects.of(reference);
  if (project)
    return reference.kind === 'issue' || showsLabels(ctx, project)
      ? { reference, project, groupId: null, groupPath: null }
      : null;
  if (reference.kind === 'issue') return null;
  if (reference.path !== null) return { reference, project, groupId: null, groupPath: reference.path.toLowerCase() };
  return reference.container?.kind === 'group'
    ? { reference, project, groupId: reference.container.id, groupPath: null }
    : null;
}

/** A reference as a row of the statement. */
interface Row {
  /** Its index in the list. */
  readonly at: number;
  readonly project_id: number | null;
  readonly namespace_id: number | null;
  readonly group_path: string | null;
  /** The id or number that names it. */
  readonly number: number | null;
  readonly name: string;
}

const TYPES = {
  at: 'int',
  project_id: 'bigint',
  namespace_id: 'bigint',
  group_path: 'text',
  number: 'bigint',
  name: 'text',
} as const;

const getRow = ({ reference: { by, name }, project, groupId, groupPath }: LocatedReference, at: number): Row => ({
  at,
  project_id: project?.id ?? null,
  namespace_id: project?.namespace_id ?? groupId,
  group_path: groupPath,
  number: by === 'number' ? Number(name) : null,
  name,
});

/** The references of one kind as rows `w`, with their index in the full list. */
const getRows = (all: readonly LocatedReference[], kind: Referenced['kind']) =>
  unnestedRows(
    all.flatMap((one, at) => (one.reference.kind === kind ? [getRow(one, at)] : [])),
    TYPES,
  ).as('w');

type OfReferences = Aliased<
  PlanningDatabase,
  { n: 'namespaces'; gs: 'group_settings'; i: 'issues'; l: 'labels'; m: 'milestones'; own: 'labels' }
> & { w: Row };
const db = expressionBuilder<PlanningDatabase>();

/** References `w` of some kind with the namespace `n` of each: a project's, or a group that the caller may read. */
function locatedRows(ctx: Context, all: readonly LocatedReference[], kind: Referenced['kind']) {
  return db
    .selectFrom(getRows(all, kind))
    .innerJoin('namespaces as n', (join) =>
      join.on((eb) => {
        const groupId = eb
          .selectFrom('routes as g')
          .select('g.namespace_id')
          .where((of) => of(of.fn('lower', ['g.path']), '=', of.ref('w.group_path')))
          .where('w.project_id', 'is', null);
        return eb('n.id', '=', eb.fn.coalesce('w.namespace_id', scalar(groupId)).$castTo<number>());
      }),
    )
    .leftJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .where((eb) => eb.or([eb('w.project_id', 'is not', null), visibleGroupsCondition(ctx)]));
}

/** The path of a project, or of a group where there is no project. */
function getPath(
  projectId: Expression<number | null>,
  namespaceId: Expression<number | null>,
): AliasableExpression<string> {
  const pathBy = (column: 'project_id' | 'namespace_id', id: Expression<number | null>) =>
    scalar(
      db
        .selectFrom('routes as r')
        .select('r.path')
        .where(`r.${column}`, '=', id as Expression<number>),
    );
  return db
    .case()
    .when(db(projectId, 'is', null))
    .then(pathBy('namespace_id', namespaceId))
    .else(pathBy('project_id', projectId))
    .end();
}

const noText = () => db.cast<string | null>(db.lit(null), 'text');
const getKind = (kind: Referenced['kind']) => db.cast<Referenced['kind']>(constant(kind), 'text').as('kind');

const issues = (ctx: Context, all: readonly LocatedReference[]) =>
  db
    .selectFrom(getRows(all, 'issue'))
    .innerJoin('issues as i', (join) =>
      join.on((eb) => eb('i.project_id', '=', eb.ref('w.project_id'))).on((eb) => eb('i.iid', '=', eb.ref('w.number'))),
    )
    .innerJoin('projects as p', 'p.id', 'i.project_id')
    .innerJoin('routes as r', 'r.project_id', 'p.id')
    .where(visibleIssues(ctx))
    .select((eb) => [
      'w.at',
      getKind('issue'),
      'i.id',
      'i.iid',
      'i.title',
      noText().as('description'),
      noText().as('color'),
      eb.ref('i.project_id').$castTo<number | null>().as('project_id'),
      'p.namespace_id',
      'r.path as full_path',
      eb.lit(false).$castTo<boolean>().as('in_group'),
    ]);

const onLabel = expressionBuilder<OfReferences, 'n' | 'own' | 'w'>();
const isUnnumbered = onLabel('w.number', 'is', null);
const isOfProject = onLabel('own.project_id', '=', onLabel.ref('w.project_id'));
const isOfGroups = onLabel('own.namespace_id', '=', anyIn(onLabel.ref('n.traversal_ids')));
const isTitled = onLabel('own.title', '=', onLabel.ref('w.name'));

const labels = (ctx: Context, all: readonly LocatedReference[]) =>
  locatedRows(ctx, all, 'label')
    .crossJoinLateral((eb) => {
      const own = eb.selectFrom('labels as own').select(['own.id', 'own.title', 'own.description', 'own.color']);
      return own
        .where((of) => of('own.id', '=', of.ref('w.number')))
        .where(onLabel.or([isOfProject, isOfGroups]))
        .unionAll(own.where(onLabel.and([isUnnumbered, isOfProject, isTitled])))
        .unionAll(own.where(onLabel.and([isUnnumbered, isOfGroups, isTitled])))
        .limit(constant(1))
        .as('l');
    })
    .select((eb) => [
      'w.at',
      getKind('label'),
      'l.id',
      eb.lit(0).$castTo<number>().as('iid'),
      'l.title',
      'l.description',
      eb.ref('l.color').$castTo<string | null>().as('color'),
      'w.project_id',
      'n.id as namespace_id',
      getPath(eb.ref('w.project_id'), eb.ref('n.id')).as('full_path'),
      eb('w.project_id', 'is', null).$castTo<boolean>().as('in_group'),
    ]);

const milestones = (ctx: Context, all: readonly LocatedReference[]) =>
  locatedRows(ctx, all, 'milestone')
    .crossJoinLateral((eb) => {
      const own = eb
        .selectFrom('milestones as own')
        .select(['own.id', 'own.iid', 'own.title', 'own.project_id', 'own.namespace_id']);
      return own
        .where(isOfProject)
        .where((of) => of('own.iid', '=', of.ref('w.number')))
        .unionAll(
          own
            .where('w.project_id', 'is', null)
            .where((of) => of('own.namespace_id', '=', of.ref('n.id')))
            .where((of) => of('own.iid', '=', of.ref('w.number'))),
        )
        .unionAll(own.where(onLabel.and([isUnnumbered, isOfProject, isTitled])))
        .unionAll(own.where(onLabel.and([isUnnumbered, isOfGroups, isTitled])))
        .limit(constant(1))
        .as('m');
    })
    .select((eb) => [
      'w.at',
      getKind('milestone'),
      'm.id',
      'm.iid',
      'm.title',
      noText().as('description'),
      noText().as('color'),
      'm.project_id',
      'n.id as namespace_id',
      getPath(eb.ref('m.project_id'), eb.ref('m.namespace_id')).as('full_path'),
      eb('m.project_id', 'is', null).$castTo<boolean>().as('in_group'),
    ]);

/** What issues, labels and milestones references lead to, as far as the caller may see them: one statement. */
export async function findReferenced(
  ctx: Context,
  projects: ReferencedProjects,
  references: readonly MarkdownReference[],
): Promise<Map<MarkdownReference, Referenced>> {
  const all = references.flatMap((one) => locateReference(ctx, projects, one) ?? []);
  if (all.length === 0) return new Map();
  const rows: (Referenced & { at: number })[] = await readRows(
    ctx.em,
    issues(ctx, all).unionAll(labels(ctx, all)).unionAll(milestones(ctx, all)),
  );
  return new Map(rows.flatMap(({ at, ...row }) => (all[at] ? [[all[at].reference, row] as const] : [])));
}
