import type { AliasableExpression, Expression, Kysely, QueryCreator, SelectQueryBuilder, SqlBool } from 'kysely';
import { expressionBuilder } from 'kysely';
import type { ContainerKind } from '../../core/operations/container.js';
import type { Context } from '../../core/context/context.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { anyIn, constant, unnestedRows } from '../../core/database/expressions.js';
import { today, unexpired } from '../../tenancy/access/access.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import type { EntryKind, EnvironmentEntryRecord } from './environment-entries.js';
import { groupBelongs, roleAt } from './who-may-be-named.js';

/** An environment as far as it decides what protects it. */
export interface DeployPlace {
  readonly project_id: number;
  readonly name: string;
  readonly tier: string;
}

/** Who is asked about. */
export interface Deployer {
  /** Of the user; 0 for nobody. */
  readonly id: number;
  /** `stored`: as the users' table says. */
  readonly admin: boolean | 'stored';
}

const isAdmin = ({ id, admin }: Deployer): AliasableExpression<boolean> => {
  const eb = expressionBuilder<DeploymentsDatabase>();
  if (admin !== 'stored') return constant(admin);
  const known = eb.selectFrom('users as known').select('known.admin').where('known.id', '=', id).$asScalar();
  return eb.fn.coalesce(known, eb.lit(false)).$castTo<boolean>();
};

/** The places, numbered, with who is asked about. */
const questionsOf = (db: QueryCreator<DeploymentsDatabase>, places: readonly DeployPlace[], deployer: Deployer) =>
  db
    .selectFrom(
      unnestedRows(
        places.map(({ project_id, name, tier }, question) => ({ question, project_id, name, tier })),
        { question: 'int', project_id: 'bigint', name: 'text', tier: 'text' },
      ).as('u'),
    )
    .select((eb) => [
      'u.question',
      'u.project_id',
      'u.name',
      'u.tier',
      eb.cast<number>(eb.val(deployer.id), 'bigint').as('user_id'),
      isAdmin(deployer).as('admin'),
    ]);

interface Question extends DeployPlace {
  question: number;
  user_id: number;
  admin: boolean;
}

const FOUND = [
  'q.question',
  'q.user_id',
  'q.admin',
  'pe.id',
  'pe.project_id',
  'pe.namespace_id',
  'pe.name',
  'pe.required_approval_count',
] as const;

/**
 * The protected environments that govern each of `questions`: the project's of that name, and those for its tier of the
 * project's group and every group above it.
 */
const foundFor = (db: QueryCreator<DeploymentsDatabase & { questions: Question }>) =>
  db
    .selectFrom('questions as q')
    .innerJoin('protected_environments as pe', (join) =>
      join.onRef('pe.project_id', '=', 'q.project_id').onRef('pe.name', '=', 'q.name'),
    )
    .select([...FOUND, constant<number>(0).as('depth')])
    .unionAll(
      db
        .selectFrom('questions as q')
        .innerJoin('projects as p', 'p.id', 'q.project_id')
        .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
        .innerJoin('protected_environments as pe', (join) =>
          join.on((eb) => eb('pe.namespace_id', '=', anyIn(eb.ref('n.traversal_ids')))).onRef('pe.name', '=', 'q.tier'),
        )
        .select((eb) => {
          const last = eb(eb.fn<number>('cardinality', ['n.traversal_ids']), '+', eb.lit(1));
          const place = eb.fn<number>('array_position', ['n.traversal_ids', 'pe.namespace_id']);
          return [...FOUND, eb(last, '-', place).as('depth')];
        }),
    );

/** What governs the places, with the role of who is asked about in each container, as `governing`. */
const governingOf = (
  db: Kysely<DeploymentsDatabase>,
  places: readonly DeployPlace[],
  deployer: Deployer,
  day: string,
) =>
  db
    .with('questions', (of) => questionsOf(of, places, deployer))
    .with('found', foundFor)
    .with(
      (cte) => cte('governing').materialized(),
      (of) =>
        of
          .selectFrom('found as pe')
          .select((eb) => [
            'pe.question',
            'pe.depth',
            'pe.user_id',
            'pe.admin',
            'pe.id',
            'pe.project_id',
            'pe.namespace_id',
            'pe.name',
            'pe.required_approval_count',
            roleAt(eb.ref('pe.user_id'), day).as('role'),
          ]),
    );

interface Governing extends Omit<Question, 'project_id'> {
  id: number;
  depth: number;
  project_id: number | null;
  namespace_id: number | null;
  required_approval_count: number;
  role: number;
}

/** Entries `l`, of either kind, of what governs a place, `pe`. */
const onGoverning = expressionBuilder<
  DeploymentsDatabase & { pe: Governing; l: DeploymentsDatabase['protected_environment_deploy_levels'] },
  'l' | 'pe'
>();

/** Whether group entry `l` counts the user of `pe` among its members. */
const isMember = (day: string): Expression<SqlBool> =>
  onGoverning.exists(
    onGoverning
      .selectFrom('namespaces as named')
      .innerJoin('group_members as m', (join) =>
        join.on((eb) => eb('m.namespace_id', '=', anyIn(eb.ref('named.traversal_ids')))),
      )
      .select(onGoverning.lit(1).as('one'))
      .whereRef('named.id', '=', 'l.group_id')
      .whereRef('m.user_id', '=', 'pe.user_id')
      .where('m.access_level', '>=', ACCESS_LEVELS.guest)
      .where((eb) =>
        eb.or([eb('m.namespace_id', '=', eb.ref('named.id')), eb('l.group_inheritance_type', '=', eb.lit(1))]),
      )
      .where(unexpired('m', day)),
  );

/**
 * Whether entry `l` names the user of `pe` at this moment: administrators always. A user who has no role there any more
 * is named in vain, and so is a group that does not belong there any more.
 */
const names = (day: string): Expression<boolean> =>
  onGoverning
    .case()
    .when(onGoverning.ref('pe.admin'))
    .then(onGoverning.lit(true))
    .when('l.access_level', 'is not', null)
    .then(onGoverning('pe.role', '>=', onGoverning.ref('l.access_level')).$castTo<boolean>())
    .when('l.user_id', 'is not', null)
    .then(
      onGoverning
        .and([onGoverning('l.user_id', '=', onGoverning.ref('pe.user_id')), onGoverning('pe.role', '>', 0)])
        .$castTo<boolean>(),
    )
    .else(onGoverning.and([isMember(day), groupBelongs(day)]).$castTo<boolean>())
    .end();

/**
 * Whether protection lets the caller deploy to each of the places, in their order: every governing entry has to admit
 * them, by any of its deploy levels (protected-environments.md section 7). Asked of memberships as they are, by one
 * statement. The role that deploying needs anyway is not asked about. Without Premium nothing is protected.
 */
export async function admittedTo(
  ctx: Context,
  places: readonly DeployPlace[],
  deployer: Deployer = ctx.caller,
): Promise<boolean[]> {
  if (places.length === 0 || deployer.admin === true || !ctx.hasPlan('premium')) return places.map(() => true);
  const day = today(ctx);
  const refused = await governingOf(ctx.em.getKysely<DeploymentsDatabase>(), places, deployer, day)
    .selectFrom('governing as pe')
    .select('pe.question')
    .distinct()
    .where((eb) => {
      const levels = eb
        .selectFrom('protected_environment_deploy_levels as l')
        .select(eb.lit(1).as('one'))
        .whereRef('l.protected_environment_id', '=', 'pe.id')
        .where(names(day));
      return eb.not(eb.exists(levels));
    })
    .execute();
  const closed = new Set(refused.map(({ question }) => question));
  return places.map((_, index) => !closed.has(index));
}

/** An entry, and whether it names who was asked about at this moment. */
export interface AskedEntry extends EnvironmentEntryRecord {
  names: boolean;
}

/** One protected environment that governs a place. */
export interface GoverningEnvironment {
  id: number;
  name: string;
  required_approval_count: number;
  /** Where it belongs, with its full path. */
  container: { kind: ContainerKind; id: number; full_path: string };
  deploy_access_levels: AskedEntry[];
  approval_rules: AskedEntry[];
}

const ENTRY = [
  'pe.id as owner',
  'l.id',
  'l.access_level',
  'l.user_id',
  'l.group_id',
  'l.group_inheritance_type',
] as const;

/** The entries of both kinds of what governs the places. */
const entriesOf = (db: QueryCreator<DeploymentsDatabase & { governing_ids: { id: number } }>) =>
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

/** All entries of all that governs the places, or a row without one; whether each names who is asked about. */
const rowsOf = (db: Kysely<DeploymentsDatabase>, places: readonly DeployPlace[], deployer: Deployer, day: string) =>
  governingOf(db, places, deployer, day)
    .with('governing_ids', (of) => of.selectFrom('governing as g').select('g.id').distinct())
    .with('entries', entriesOf)
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
        eb.fn.coalesce(names(day), eb.lit(false)).as('names'),
      ];
    });

type Row = Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number];

/** What governs a place, read from its rows. */
function grouped(rows: readonly Row[]): GoverningEnvironment[] {
  return [...Map.groupBy(rows, (row) => row.protection_id).values()].map((entries) => {
    const [first] = entries as [Row, ...Row[]];
    const { project_id: projectId, namespace_id: namespaceId } = first;
    const ofKind = (kind: EntryKind) => entries.filter((row): row is AskedEntry & Row => row.kind === kind);
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
 * What governs each of the places, in their order, from the project up to the root group, with all entries and whether
 * they name who is asked about. One statement. Empty without Premium.
 */
export async function governingEntries(
  ctx: Context,
  places: readonly DeployPlace[],
  deployer: Deployer = ctx.caller,
): Promise<GoverningEnvironment[][]> {
  if (places.length === 0 || !ctx.hasPlan('premium')) return places.map(() => []);
  const rows = await rowsOf(ctx.em.getKysely<DeploymentsDatabase>(), places, deployer, today(ctx))
    .orderBy('pe.question')
    .orderBy('pe.depth')
    .orderBy('pe.id')
    .orderBy('l.id')
    .execute();
  const byPlace = Map.groupBy(rows, (row) => row.question);
  return places.map((_, index) => grouped(byPlace.get(index) ?? []));
}

/**
 * The same of one place and a user, together with what else is asked about that user, by one statement.
 * @param facts a query of one row, or of none for an unknown user
 * @returns null for an unknown user
 */
export async function governingOfUser<F extends object>(
  ctx: Context,
  place: DeployPlace,
  userId: number,
  facts: SelectQueryBuilder<never, never, F>,
): Promise<{ facts: F; governing: GoverningEnvironment[] } | null> {
  const places = ctx.hasPlan('premium') ? [place] : [];
  const db = ctx.em.getKysely<DeploymentsDatabase>();
  const rows = await db
    .selectFrom(facts.as('f'))
    .leftJoin(rowsOf(db, places, { id: userId, admin: 'stored' }, today(ctx)).as('r'), (join) => join.onTrue())
    .select((eb) => eb.fn<F>('to_jsonb', [eb.table('f')]).as('facts'))
    .selectAll('r')
    .orderBy('r.question')
    .orderBy('r.depth')
    .orderBy('r.protection_id')
    .orderBy('r.id')
    .execute();
  const [first] = rows;
  return first
    ? {
        facts: first.facts as F,
        governing: grouped(rows.filter((row): row is typeof row & Row => row.protection_id !== null)),
      }
    : null;
}
