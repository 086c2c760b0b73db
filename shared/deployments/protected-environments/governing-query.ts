import type { AliasableExpression, Expression, Kysely, QueryCreator, SqlBool } from 'kysely';
import { expressionBuilder } from 'kysely';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { anyIn, cast, constant, unnestedColumns } from '../../core/database/expressions.js';
import { unexpired } from '../../tenancy/namespaces/access.js';
import type { Day } from '../../tenancy/namespaces/access.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { groupBelongs, roleAt } from './qualifying-entries.js';

/** An environment as far as it decides what protects it. */
export interface DeployTarget {
  readonly project_id: number;
  readonly name: string;
  readonly tier: string;
}

/** The user whose deploy rights are checked. */
export interface Deployer {
  /** The user's id; 0 for no user. */
  readonly id: number;
  /** `stored`: the value in the users table. */
  readonly admin: boolean | 'stored';
}

/** The targets by column, the checked user, and the day of the check. */
export interface QuestionValues {
  project_ids: readonly number[];
  names: readonly string[];
  tiers: readonly string[];
  user_id: number;
  /** Null: use the value in the users table. */
  admin: boolean | null;
  /** As in `2026-01-31`. */
  day: string;
}

/** The same as values, or as placeholders of a prepared query. */
export type Questions = {
  readonly [Name in keyof QuestionValues]: QuestionValues[Name] | Expression<QuestionValues[Name]>;
};

/** Builds the query values for a user, or no user, for each of the targets, in their order. */
export const questionsAbout = (
  targets: readonly DeployTarget[],
  { id, admin }: Deployer,
  day: string,
): QuestionValues => ({
  project_ids: targets.map(({ project_id }) => project_id),
  names: targets.map(({ name }) => name),
  tiers: targets.map(({ tier }) => tier),
  user_id: id,
  admin: admin === 'stored' ? null : admin,
  day,
});

const isAdmin = ({ user_id: id, admin }: Questions): AliasableExpression<boolean> => {
  const eb = expressionBuilder<DeploymentsDatabase>();
  const adminFlag = eb.selectFrom('users as known').select('known.admin').where('known.id', '=', id).$asScalar();
  return eb.fn.coalesce(cast<boolean | null>(admin, 'boolean'), adminFlag, eb.lit(false)).$castTo<boolean>();
};

/** The targets, numbered from 0, with the checked user. */
const getQuestions = (db: QueryCreator<DeploymentsDatabase>, questions: Questions) =>
  db
    .selectFrom(
      unnestedColumns<{ project_id: number; name: string; tier: string }>({
        project_id: [questions.project_ids, 'bigint'],
        name: [questions.names, 'text'],
        tier: [questions.tiers, 'text'],
      }).withPositionAs('u'),
    )
    .select((eb) => [
      // The index of the target, which fits an int.
      eb.cast<number>(eb('u.position', '-', eb.lit(1)), 'integer').as('question'),
      'u.project_id',
      'u.name',
      'u.tier',
      cast<number>(questions.user_id, 'bigint').as('user_id'),
      isAdmin(questions).as('admin'),
    ]);

interface Question extends DeployTarget {
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
          const position = eb.fn<number>('array_position', ['n.traversal_ids', 'pe.namespace_id']);
          return [...FOUND, eb(last, '-', position).as('depth')];
        }),
    );

/**
 * The protected environments that govern the targets, with the checked user's role in each container, as `governing`.
 */
export const selectGoverning = (db: Kysely<DeploymentsDatabase>, questions: Questions) =>
  db
    .with('questions', (of) => getQuestions(of, questions))
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
            roleAt(eb.ref('pe.user_id'), questions.day).as('role'),
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

/** Entries `l`, of either kind, of what governs a target, `pe`. */
const onGoverning = expressionBuilder<
  DeploymentsDatabase & { pe: Governing; l: DeploymentsDatabase['protected_environment_deploy_levels'] },
  'l' | 'pe'
>();

/** Whether group entry `l` counts the user of `pe` among its members. */
const isMember = (day: Day): Expression<SqlBool> =>
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
 * Whether entry `l` currently applies to the user of `pe`: to administrators always. An entry for a user who no longer
 * has a role there has no effect, nor has one for a group that no longer belongs there.
 */
export const names = (day: Day): Expression<boolean> =>
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
