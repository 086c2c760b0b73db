import { expressionBuilder } from 'kysely';
import type { AliasableExpression, Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { anyIn, anyOf, constant, contains } from '../../core/database/expressions.js';
import { readRows } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import {
  namespaceAccess,
  projectAccess,
  projectShareHolds,
  today,
  unexpired,
} from '../../tenancy/namespaces/access.js';
import type { Day } from '../../tenancy/namespaces/access.js';
import type { Container } from '../../tenancy/containers/container.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import type { EnvironmentEntryInput } from './entry-params.js';

type OfEntries = Aliased<
  DeploymentsDatabase,
  { pe: 'protected_environments'; l: 'protected_environment_approval_rules'; p: 'projects' }
>;

/** Builds conditions on entries `l`, of either kind, of protected environments `pe`. */
export const onEntries = expressionBuilder<OfEntries, 'l' | 'pe'>();

const db = expressionBuilder<DeploymentsDatabase>();
const one = db.lit(1).as('one');

/** Whether a group is currently invited to project `p`. */
const invitedToProject = (groupId: Expression<number | null>, day: Day): Expression<SqlBool> =>
  db.exists(
    expressionBuilder<OfEntries, 'p'>()
      .selectFrom('project_shares as ps')
      .select(one)
      .whereRef('ps.project_id', '=', 'p.id')
      .where('ps.group_id', '=', groupId)
      .where(projectShareHolds('ps', 'p', day)),
  );

/** Whether a group is the same as another one, a descendant of it, or currently invited to it. */
const belongsToGroup = (
  groupId: Expression<number | null>,
  ofId: Expression<number | null>,
  day: Day,
): Expression<SqlBool> =>
  db.or([
    db.exists(
      db
        .selectFrom('namespaces as below')
        .select(one)
        .where('below.id', '=', groupId)
        .where((eb) => contains(eb.ref('below.traversal_ids'), eb.cast<number>(ofId, 'bigint'))),
    ),
    db.exists(
      db
        .selectFrom('group_shares as gs')
        .select(one)
        .where('gs.namespace_id', '=', ofId)
        .where('gs.group_id', '=', groupId)
        .where(unexpired('gs', day)),
    ),
  ]);

/** Whether the group of entry `l` is currently eligible in the container of protected environment `pe`. */
export const groupBelongs = (day: Day): Expression<SqlBool> =>
  onEntries
    .case()
    .when('pe.project_id', 'is', null)
    .then(belongsToGroup(onEntries.ref('l.group_id'), onEntries.ref('pe.namespace_id'), day))
    .else(
      onEntries.exists(
        onEntries
          .selectFrom('projects as p')
          .select(one)
          .whereRef('p.id', '=', 'pe.project_id')
          .where(invitedToProject(onEntries.ref('l.group_id'), day)),
      ),
    )
    .end();

/** A user's role, 0 for none, in the container of protected environment `pe`. */
export const roleAt = (userId: Expression<number>, day: Day): AliasableExpression<number> =>
  onEntries
    .case()
    .when('pe.project_id', 'is', null)
    .then(
      onEntries
        .selectFrom('namespaces as n')
        .select(namespaceAccess(userId, day).as('access'))
        .whereRef('n.id', '=', 'pe.namespace_id')
        .$asScalar(),
    )
    .else(
      onEntries
        .selectFrom('projects as p')
        .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
        .select(projectAccess(userId, day).as('access'))
        .whereRef('p.id', '=', 'pe.project_id')
        .$asScalar(),
    )
    .end()
    .$castTo<number>();

/** Groups among the ids, as eligible subjects. */
const getGroups = (ids: readonly number[]) =>
  db
    .selectFrom('namespaces as g')
    .select([constant<'group' | 'user'>('group').as('kind'), 'g.id'])
    .where('g.kind', '=', constant('group'))
    .where('g.id', '=', anyOf(ids, 'bigint'));

/** Developers of a project and above, and groups that are invited to it. */
const ofProject = (id: number, users: readonly number[], groups: readonly number[], day: string) =>
  db
    .selectFrom(['users as u', 'projects as p'])
    .innerJoin('namespaces as n', 'n.id', 'p.namespace_id')
    .select([constant<'group' | 'user'>('user').as('kind'), 'u.id'])
    .where('p.id', '=', id)
    .where('u.id', '=', anyOf(users, 'bigint'))
    .where((eb) => eb(projectAccess(eb.ref('u.id'), day), '>=', ACCESS_LEVELS.developer))
    .unionAll(
      getGroups(groups)
        .innerJoin('projects as p', (join) => join.on('p.id', '=', id))
        .where((eb) => invitedToProject(eb.ref('g.id'), day)),
    );

/** Maintainers of a group and above, and groups that belong to it. */
const ofGroup = (id: number, users: readonly number[], groups: readonly number[], day: string) =>
  db
    .selectFrom('namespaces as n')
    .innerJoin('group_members as m', (join) =>
      join.on((eb) => eb('m.namespace_id', '=', anyIn(eb.ref('n.traversal_ids')))),
    )
    .select([constant<'group' | 'user'>('user').as('kind'), 'm.user_id as id'])
    .where('n.id', '=', id)
    .where('m.user_id', '=', anyOf(users, 'bigint'))
    .where('m.access_level', '>=', ACCESS_LEVELS.maintainer)
    .where(unexpired('m', day))
    .unionAll(
      getGroups(groups).where((eb) => belongsToGroup(eb.ref('g.id'), eb.cast<number>(eb.val(id), 'bigint'), day)),
    );

/**
 * The users and groups eligible for entries of a container (protected-environments.md section 5): checks all subjects
 * of the passed entries with one statement. Ineligible ones are to be dropped.
 */
export async function qualifying(
  ctx: Context,
  { kind, id }: Container,
  input: readonly EnvironmentEntryInput[],
): Promise<(entry: EnvironmentEntryInput) => boolean> {
  const entries = input.filter((entry) => entry._destroy !== true);
  const users = entries.flatMap((entry) => entry.user_id ?? []);
  const groups = entries.flatMap((entry) => entry.group_id ?? []);
  if (users.length + groups.length === 0) return () => true;
  const rows =
    kind === 'project'
      ? await readRows(ctx.em, ofProject(id, users, groups, today(ctx)))
      : await readRows(ctx.em, ofGroup(id, users, groups, today(ctx)));
  const found = new Set(rows.map((row) => `${row.kind} ${row.id}`));
  const isFound = (of: 'user' | 'group', holderId: number | null | undefined) =>
    holderId === null || holderId === undefined || found.has(`${of} ${holderId}`);
  return (entry) => isFound('user', entry.user_id) && isFound('group', entry.group_id);
}
