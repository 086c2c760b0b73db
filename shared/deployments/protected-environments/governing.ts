import type { Kysely, QueryCreator, SelectQueryBuilder } from 'kysely';
import type { ContainerKind } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import { today } from '../../tenancy/namespaces/access.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import type { EntryKind, EnvironmentEntryRecord } from './environment-entries.js';
import { selectGoverning, names, questionsAbout } from './governing-query.js';
import type { DeployTarget, Deployer, QuestionValues, Questions } from './governing-query.js';

/** An entry, and whether it currently applies to the checked user. */
export interface GoverningEntry extends EnvironmentEntryRecord {
  names: boolean;
}

/** One protected environment that governs a target. */
export interface GoverningEnvironment {
  id: number;
  name: string;
  required_approval_count: number;
  /** The container it belongs to, with its full path. */
  container: { kind: ContainerKind; id: number; full_path: string };
  deploy_access_levels: GoverningEntry[];
  approval_rules: GoverningEntry[];
}

const ENTRY = [
  'pe.id as owner',
  'l.id',
  'l.access_level',
  'l.user_id',
  'l.group_id',
  'l.group_inheritance_type',
] as const;

/** The entries of both kinds of what governs the targets. */
const getEntries = (db: QueryCreator<DeploymentsDatabase & { governing_ids: { id: number } }>) =>
  db
    .selectFrom('governing_ids as pe')
    .innerJoin('protected_environment_deploy_levels as l', 'l.protected_environment_id', 'pe.id')
    .select((eb) => [
      ...ENTRY,
      eb.cast<EntryKind>(constant('deploy_access_levels'), 'text').as('kind'),
      constant<number>(1).as('required_approvals'),
    ])
    .unionAll(
      db
        .selectFrom('governing_ids as pe')
        .innerJoin('protected_environment_approval_rules as l', 'l.protected_environment_id', 'pe.id')
        .select((eb) => [
          ...ENTRY,
          eb.cast<EntryKind>(constant('approval_rules'), 'text').as('kind'),
          'l.required_approvals',
        ]),
    );

/**
 * All entries of the protected environments that govern the targets, or a row without an entry; and whether each
 * applies to the checked user.
 */
const getRows = (db: Kysely<DeploymentsDatabase>, questions: Questions) =>
  selectGoverning(db, questions)
    .with('governing_ids', (of) => of.selectFrom('governing as g').select('g.id').distinct())
    .with('entries', getEntries)
    .selectFrom('governing as pe')
    .leftJoin('entries as l', 'l.owner', 'pe.id')
    .leftJoin('users as u', 'u.id', 'l.user_id')
    .leftJoin('namespaces as g', 'g.id', 'l.group_id')
    .select((eb) => {
      const routes = eb.selectFrom('routes as r').select('r.path');
      return [
        'pe.question',
        'pe.depth',
        'pe.id as protection_id',
        'pe.name as protected_name',
        'pe.required_approval_count',
        'pe.project_id',
        'pe.namespace_id',
        eb.fn
          .coalesce(
            routes.whereRef('r.project_id', '=', 'pe.project_id').$asScalar(),
            routes.whereRef('r.namespace_id', '=', 'pe.namespace_id').$asScalar(),
          )
          .as('full_path'),
        'l.kind',
        'l.id',
        'l.access_level',
        'l.user_id',
        'l.group_id',
        'l.group_inheritance_type',
        'l.required_approvals',
        'u.name as user_name',
        'g.name as group_name',
        eb.fn.coalesce(names(questions.day), eb.lit(false)).as('names'),
      ];
    });

type Row = Awaited<ReturnType<ReturnType<typeof getRows>['execute']>>[number];

const loadRows = prepareQuery<DeploymentsDatabase, QuestionValues, Row>((db, questions) =>
  getRows(db, questions).orderBy('pe.question').orderBy('pe.depth').orderBy('pe.id').orderBy('l.id'),
);

/** What governs a target, read from its rows. */
function grouped(rows: readonly Row[]): GoverningEnvironment[] {
  return [...Map.groupBy(rows, (row) => row.protection_id).values()].map((entries) => {
    const [first] = entries as [Row, ...Row[]];
    const { project_id: projectId, namespace_id: namespaceId } = first;
    const ofKind = (kind: EntryKind) => entries.filter((row): row is GoverningEntry & Row => row.kind === kind);
    return {
      id: first.protection_id,
      name: first.protected_name,
      required_approval_count: first.required_approval_count,
      container: {
        kind: projectId === null ? ('group' as const) : ('project' as const),
        id: (projectId ?? namespaceId) as number,
        full_path: first.full_path,
      },
      deploy_access_levels: ofKind('deploy_access_levels'),
      approval_rules: ofKind('approval_rules'),
    };
  });
}

/**
 * The protected environments that govern each of the targets, in their order, from the project up to the root group,
 * with all entries and whether they apply to the checked user. One statement. Empty without Premium.
 */
export async function governingEntries(
  ctx: Context,
  targets: readonly DeployTarget[],
  deployer: Deployer = ctx.caller,
): Promise<GoverningEnvironment[][]> {
  if (targets.length === 0 || !ctx.hasPlan('premium')) return targets.map(() => []);
  const rows = await loadRows(ctx, questionsAbout(targets, deployer, today(ctx)));
  const byTarget = Map.groupBy(rows, (row) => row.question);
  return targets.map((_, index) => grouped(byTarget.get(index) ?? []));
}

/**
 * The same for one target and a user, together with further details of that user, by one statement.
 * @param details a query of one row, or of none for an unknown user
 * @returns null for an unknown user
 */
export async function governingOfUser<F extends object>(
  ctx: Context,
  target: DeployTarget,
  userId: number,
  details: SelectQueryBuilder<never, never, F>,
): Promise<{ details: F; governing: GoverningEnvironment[] } | null> {
  const targets = ctx.hasPlan('premium') ? [target] : [];
  const db = ctx.em.getKysely<DeploymentsDatabase>();
  const rows = await db
    .selectFrom(details.as('f'))
    .leftJoin(getRows(db, questionsAbout(targets, { id: userId, admin: 'stored' }, today(ctx))).as('r'), (join) =>
      join.onTrue(),
    )
    .select((eb) => eb.fn<F>('to_jsonb', [eb.table('f')]).as('details'))
    .selectAll('r')
    .orderBy('r.question')
    .orderBy('r.depth')
    .orderBy('r.protection_id')
    .orderBy('r.id')
    .execute();
  const [first] = rows;
  return first
    ? {
        details: first.details as F,
        governing: grouped(rows.filter((row): row is typeof row & Row => row.protection_id !== null)),
      }
    : null;
}
