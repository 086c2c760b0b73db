import { expressionBuilder } from 'kysely';
import type { Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { anyIn, constant, unnestedColumns } from '../../core/database/expressions.js';
import { prepareQuery } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { groupHasProject, today, unexpired } from '../../tenancy/namespaces/access.js';

/** One question: what may a user do with a ref, as far as its protection is concerned. */
export interface RefQuestion {
  project_id: number;
  /** `refs/heads/…` or `refs/tags/…`. */
  full_name: string;
  /** 0 for an anonymous caller. */
  user_id: number;
  admin: boolean;
  /** The user's effective access level in the project. */
  access: number;
  /** The deploy key in use, none by default; the user is then its owner. */
  deploy_key_id?: number | null;
}

/** The answer. On a ref that no rule matches nothing is refused. */
export interface RefRights {
  protected: boolean;
  push: boolean;
  /** Moving the branch to a commit that is not a descendant of its head: users who may push, if a rule allows it. */
  forcePush: boolean;
  merge: boolean;
  create: boolean;
  /** Everybody with the Developer role passes the rule. */
  developersPush: boolean;
  developersMerge: boolean;
}

interface AnswerRow {
  question: number;
  action: 'push' | 'merge' | 'create' | null;
  allowed: boolean | null;
  developers: boolean | null;
  force: boolean;
}

/** A permission query as a row. */
interface Question {
  question: number;
  project_id: number;
  kind: string;
  name: string;
  user_id: number;
  admin: boolean;
  access: number;
  deploy_key_id: number | null;
}

export type RuleKind = 'branch' | 'tag';

/** The table of entries of a kind, and the column that names their rule: of branches, since both are of the same types. */
export const entryTable = (kind: RuleKind) => ({
  table: `protected_${kind}_access_levels` as 'protected_branch_access_levels',
  parent: `protected_${kind}_id` as 'protected_branch_id',
});

const ruleTable = (kind: RuleKind) =>
  (kind === 'branch' ? 'protected_branches' : 'protected_tags') as 'protected_branches';

/** Entries `l`, and questions `q` about them. */
export type OfEntries = Aliased<RepositoriesDatabase, { l: 'protected_branch_access_levels' }> & { q: Question };

/** Builds conditions on entries `l`. */
export const onAccessEntries = expressionBuilder<OfEntries, 'l' | 'q'>();

/**
 * Whether entry `l` is effective under the instance's plan. Below Premium, entries for users and groups are stored but
 * inactive until the plan supports them again (contract/README.md "Plans and offerings").
 */
export const inForce = (premium: boolean): Expression<SqlBool> =>
  premium
    ? constant(true)
    : onAccessEntries.and([onAccessEntries('l.user_id', 'is', null), onAccessEntries('l.group_id', 'is', null)]);

/** The time of the query. */
interface AccessTime {
  readonly day: string | Expression<string>;
  readonly now: Date | Expression<Date>;
}

/** That the user of question `q` has an access level, as administrators have any. */
const hasAccess = (operator: '>' | '>=', level: Expression<number | null>): Expression<SqlBool> =>
  onAccessEntries.or([onAccessEntries.ref('q.admin'), onAccessEntries('q.access', operator, level)]);

/** Whether a deploy key that entry `l` names may push to the project, as long as its owner may: question `q` is the owner's. */
function keyPushes({ now }: AccessTime): Expression<SqlBool> {
  const keys = onAccessEntries
    .selectFrom('deploy_keys_projects as d')
    .innerJoin('deploy_keys as k', 'k.id', 'd.deploy_key_id')
    .select(onAccessEntries.lit(1).as('one'))
    .whereRef('d.project_id', '=', 'l.project_id')
    .whereRef('d.deploy_key_id', '=', 'l.deploy_key_id')
    .where('d.can_push', '=', constant(true))
    .whereRef('k.user_id', '=', 'q.user_id')
    .where((eb) => eb.or([eb('k.expires_at', 'is', null), eb('k.expires_at', '>', now)]));
  return onAccessEntries.and([hasAccess('>=', constant(ACCESS_LEVELS.developer)), onAccessEntries.exists(keys)]);
}

/** Whether the user of question `q` is in the group that entry `l` names, which still has the project. */
function groupAdmits({ day }: AccessTime): Expression<SqlBool> {
  const members = onAccessEntries
    .selectFrom('group_members as m')
    .innerJoin('namespaces as g', (join) => join.onRef('g.id', '=', 'l.group_id'))
    .select(onAccessEntries.lit(1).as('one'))
    .whereRef('m.user_id', '=', 'q.user_id')
    .where((eb) => eb('m.namespace_id', '=', anyIn(eb.ref('g.traversal_ids'))))
    .where(unexpired('m', day));
  // Its share may have ended, or the project may lie elsewhere by now.
  const projects = onAccessEntries
    .selectFrom('projects as p')
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .select(onAccessEntries.lit(1).as('one'))
    .whereRef('p.id', '=', 'l.project_id')
    .where(groupHasProject(onAccessEntries.ref('l.group_id').$notNull(), day));
  return onAccessEntries.and([onAccessEntries.exists(members), onAccessEntries.exists(projects)]);
}

/**
 * Whether entry `l` admits the user or the deploy key of question `q` (protected-tags.md section 5). Level 0 admits no
 * user.
 */
export function admits(time: AccessTime): Expression<SqlBool> {
  const none = onAccessEntries.lit(0);
  return onAccessEntries
    .case()
    .when('l.access_level', 'is not', null)
    .then(
      onAccessEntries.and([
        onAccessEntries('l.access_level', '>', none),
        hasAccess('>=', onAccessEntries.ref('l.access_level')),
      ]),
    )
    .when('l.user_id', 'is not', null)
    .then(
      onAccessEntries.and([onAccessEntries('l.user_id', '=', onAccessEntries.ref('q.user_id')), hasAccess('>', none)]),
    )
    .when('l.group_id', 'is not', null)
    .then(groupAdmits(time))
    .else(
      onAccessEntries.and([
        onAccessEntries('l.deploy_key_id', '=', onAccessEntries.ref('q.deploy_key_id')),
        keyPushes(time),
      ]),
    )
    .end();
}

type OfQuestions = RepositoriesDatabase & { questions: Question };

/** The answers to questions `q` about refs of a kind. */
function answers(
  questions: SelectQueryBuilder<OfQuestions & { q: Question }, 'q', object>,
  kind: RuleKind,
  premium: boolean,
  time: AccessTime,
) {
  const { table, parent } = entryTable(kind);
  return questions
    .innerJoin(`${ruleTable(kind)} as r`, (join) =>
      join.onRef('r.project_id', '=', 'q.project_id').onRef('q.name', 'like', 'r.name_pattern'),
    )
    .leftJoin(`${table} as l`, (join) =>
      join.onRef(`l.${parent}`, '=', 'r.id').on('l.action', '<>', constant('unprotect')).on(inForce(premium)),
    )
    .select((eb) => {
      const any = <T extends boolean | null>(condition: Expression<SqlBool | null>) => eb.fn<T>('bool_or', [condition]);
      return [
        'q.question',
        'l.action',
        any<boolean | null>(admits(time)).as('allowed'),
        any<boolean | null>(eb('l.access_level', '=', eb.lit(30))).as('developers'),
        any<boolean>(kind === 'branch' ? eb.ref('r.allow_force_push') : constant(false)).as('force'),
      ];
    })
    .where('q.kind', '=', constant(kind))
    .groupBy(['q.question', 'l.action']);
}

/** The questions, column by column, and the time of the query. */
type QuestionsInput = { [Column in keyof Question]: Question[Column][] } & { day: string; now: Date };

const prepareAnswers = (premium: boolean) =>
  prepareQuery<OfQuestions, QuestionsInput, AnswerRow>((db, input) => {
    const questions = unnestedColumns<Question>({
      question: [input.question, 'int'],
      project_id: [input.project_id, 'bigint'],
      kind: [input.kind, 'text'],
      name: [input.name, 'text'],
      user_id: [input.user_id, 'bigint'],
      admin: [input.admin, 'boolean'],
      access: [input.access, 'int'],
      deploy_key_id: [input.deploy_key_id, 'bigint'],
    });
    const from = db.with('questions', (of) =>
      of
        .selectFrom(questions.as('u'))
        .select(['question', 'project_id', 'kind', 'name', 'user_id', 'admin', 'access', 'deploy_key_id']),
    );
    const ofKind = (kind: RuleKind, query: { selectFrom: typeof from.selectFrom }) =>
      answers(query.selectFrom('questions as q'), kind, premium, input);
    return ofKind('branch', from).unionAll((eb) => answers(eb.selectFrom('questions as q'), 'tag', premium, input));
  });

const answersByPlan = { free: prepareAnswers(false), premium: prepareAnswers(true) };

const FREE: RefRights = {
  protected: false,
  push: true,
  forcePush: true,
  merge: true,
  create: true,
  developersPush: false,
  developersMerge: false,
};
const NO_RIGHTS: RefRights = { ...FREE, protected: true, push: false, forcePush: false, merge: false, create: false };

function apply(rights: RefRights, row: AnswerRow): RefRights {
  const allowed = row.allowed === true;
  const developers = row.developers === true;
  switch (row.action) {
    case 'push':
      return { ...rights, push: allowed, forcePush: allowed && row.force, developersPush: developers };
    case 'merge':
      return { ...rights, merge: allowed, developersMerge: developers };
    case 'create':
      return { ...rights, create: allowed };
    default:
      return rights;
  }
}

/**
 * Answers many questions with one statement, in the same order. If several rules match a name, an action is allowed if
 * any of their entries admits it; a rule without entries admits no user. The role required for pushing, merging or
 * running is not checked here.
 */
export async function refRights(ctx: Context, questions: readonly RefQuestion[]): Promise<RefRights[]> {
  if (questions.length === 0) return [];
  const column = <V>(read: (question: RefQuestion, index: number) => V) => questions.map(read);
  const isTag = (question: RefQuestion) => question.full_name.startsWith('refs/tags/');
  const rows = await answersByPlan[ctx.hasPlan('premium') ? 'premium' : 'free'](ctx, {
    question: column((_, index) => index),
    project_id: column((question) => question.project_id),
    kind: column((question) => (isTag(question) ? 'tag' : 'branch')),
    name: column((question) => question.full_name.replace(/^refs\/(heads|tags)\//, '')),
    user_id: column((question) => question.user_id),
    admin: column((question) => question.admin),
    access: column((question) => question.access),
    deploy_key_id: column((question) => question.deploy_key_id ?? null),
    day: today(ctx),
    now: ctx.clock.now(),
  });
  const found: RefRights[] = questions.map(() => FREE);
  for (const row of rows) {
    const before = found[row.question] as RefRights;
    found[row.question] = apply(before.protected ? before : NO_RIGHTS, row);
  }
  return found;
}
