import { expressionBuilder, sql } from 'kysely';
import type { AliasableExpression, Expression, SqlBool } from 'kysely';
import { anyIn, arrayFrom, constant, contains, overlaps, scalar } from '../../core/database/expressions.js';
import { prepareExpression } from '../../core/database/prepared.js';
import type { Aliased } from '../../core/database/tables.js';
import type { TenancyDatabase } from '../tenancy.entities.js';

export { today } from './for-caller.js';

/*
 * Effective access (core-resources.md section 4): the highest of direct roles, roles inherited from groups above, and
 * what shares give, which is a role in the invited group, at most the share's level. Of a group that is invited to a
 * group only its direct members count; of one invited to a project also those that it inherits or has by shares of
 * its own (shared/core/decisions/0019-shares.md). Minimal access is no role that a share could pass on.
 */

/** A user's id, or an expression for it to query many users at once. */
type UserId = number | Expression<number>;

/** The day of which memberships must hold, `2026-01-31`. */
export type Day = string | Expression<string>;

const db = expressionBuilder<TenancyDatabase>();

/** The least level that a share passes on. */
const GUEST = 10;

const getDate = (day: Day) => sql<string>`${day}::date`;

/** That a membership or share still holds on `day`, as a condition on its table's alias. */
export function unexpired(alias: string, day: Day): Expression<SqlBool> {
  const eb = expressionBuilder<Aliased<TenancyDatabase, { m: 'group_members' }>, 'm'>();
  const expires = eb.ref(`${alias as 'm'}.expires_on`);
  return eb.or([eb(expires, 'is', null), eb(expires, '>', getDate(day))]);
}

/**
 * Condition that membership `m` of user `u` is an Owner who can answer for a group: an active human user. A token's bot
 * is deleted with its token.
 */
export function answersFor(day: Day): Expression<SqlBool> {
  const eb = expressionBuilder<Aliased<TenancyDatabase, { m: 'group_members'; u: 'users' }>, 'm' | 'u'>();
  return eb.and([
    eb('m.access_level', '=', constant(50)),
    unexpired('m', day),
    eb('u.state', '=', constant('active')),
    eb.not(eb.ref('u.bot')),
  ]);
}

/**
 * A user's roles as (namespace_id, level) rows, of `least` or above: in groups joined, and in groups that those were
 * invited to. Each holds for everything below its namespace.
 */
function namespaceLevels(userId: UserId, day: Day, least = 1) {
  const joined = db
    .selectFrom('group_members as m')
    .select(['m.namespace_id', 'm.access_level as level'])
    .where('m.user_id', '=', userId)
    .where('m.access_level', '>=', least)
    .where(unexpired('m', day));
  const invited = db
    .selectFrom('group_members as m')
    .innerJoin('group_shares as s', 's.group_id', 'm.namespace_id')
    .select((eb) => ['s.namespace_id', eb.fn<number>('least', ['m.access_level', 's.group_access']).as('level')])
    .where('m.user_id', '=', userId)
    .where('m.access_level', '>=', Math.max(least, GUEST))
    .where(unexpired('m', day))
    .where('s.group_access', '>=', least)
    .where(unexpired('s', day));
  return joined.unionAll(invited);
}

/** That a share of a project counts: not expired, and not locked by the group that the project lies in. */
export function projectShareHolds(alias: string, projectAlias: string, day: Day): Expression<SqlBool> {
  const eb = expressionBuilder<Aliased<TenancyDatabase, { p: 'projects' }>, 'p'>();
  const locked = eb
    .selectFrom('group_settings as locking')
    .select(eb.lit(1).as('one'))
    .whereRef('locking.namespace_id', '=', `${projectAlias as 'p'}.namespace_id`)
    .where('locking.share_with_group_lock', '=', eb.lit(true));
  return eb.and([unexpired(alias, day), eb.not(eb.exists(locked))]);
}

/**
 * Whether a group as a whole has access to project `p` of namespace `n`: the project lies in or below it, or one of
 * these is shared with it.
 */
export function groupHasProject(groupId: Expression<number>, day: Day): Expression<SqlBool> {
  const eb = onProject();
  const sharedProject = eb
    .selectFrom('project_shares as ps')
    .select(eb.lit(1).as('one'))
    .whereRef('ps.project_id', '=', 'p.id')
    .where('ps.group_id', '=', groupId)
    .where(projectShareHolds('ps', 'p', day));
  const sharedGroup = eb
    .selectFrom('group_shares as s')
    .select(eb.lit(1).as('one'))
    .where('s.namespace_id', '=', anyIn(eb.ref('n.traversal_ids')))
    .where('s.group_id', '=', groupId)
    .where(unexpired('s', day));
  return eb.or([eb(groupId, '=', anyIn(eb.ref('n.traversal_ids'))), eb.exists(sharedProject), eb.exists(sharedGroup)]);
}

/** Of project `p` in namespace `n`. */
const onProject = () => expressionBuilder<Aliased<TenancyDatabase, { n: 'namespaces'; p: 'projects' }>, 'n' | 'p'>();

const onNamespace = () => expressionBuilder<Aliased<TenancyDatabase, { n: 'namespaces' }>, 'n'>();

/** An aggregate of rows, or 0 where there are none. */
const orZero = (query: Expression<{ level: number }>): Expression<number> => {
  const eb = expressionBuilder<TenancyDatabase>();
  return eb.fn.coalesce(scalar(query), eb.lit(0));
};

/** Access levels of the user from owning namespace `n`, and from roles in it or above it. */
function namespaceLevel(userId: UserId, day: Day): Expression<number>[] {
  const eb = onNamespace();
  const roles = eb
    .selectFrom(namespaceLevels(userId, day).as('g'))
    .select((of) => of.fn.max('g.level').as('level'))
    .where('g.namespace_id', '=', anyIn(eb.ref('n.traversal_ids')));
  const owning = eb.case().when('n.owner_id', '=', userId).then(eb.lit(50)).else(eb.lit(0)).end();
  return [owning, orZero(roles)];
}

/** Who, and on which day. */
interface Who {
  readonly userId: number;
  readonly day: string;
}

const levelInProject = prepareExpression<Who, number>(({ userId, day }) => {
  const eb = onProject();
  const direct = eb
    .selectFrom('project_members as m')
    .select((of) => of.fn.max('m.access_level').as('level'))
    .whereRef('m.project_id', '=', 'p.id')
    .where('m.user_id', '=', userId)
    .where(unexpired('m', day));
  const byShares = eb
    .selectFrom('project_shares as ps')
    .innerJoin('namespaces as invited', 'invited.id', 'ps.group_id')
    .innerJoin(namespaceLevels(userId, day, GUEST).as('g'), (join) =>
      join.on((on) => on('g.namespace_id', '=', anyIn(on.ref('invited.traversal_ids')))),
    )
    .select((of) => of.fn.max(of.fn<number>('least', ['ps.group_access', 'g.level'])).as('level'))
    .whereRef('ps.project_id', '=', 'p.id')
    .where(projectShareHolds('ps', 'p', day));
  return eb.fn<number>('greatest', [...namespaceLevel(userId, day), orZero(direct), orZero(byShares)]);
});

/**
 * The effective access level of a user in project `p` of namespace `n`: the highest of direct membership,
 * roles in the namespace or above it, shares, and owning the personal namespace.
 */
export const projectAccess = (userId: UserId, day: Day): AliasableExpression<number> =>
  userId === 0 ? constant(0) : levelInProject({ userId, day });

const levelInNamespace = prepareExpression<Who, number>(({ userId, day }) =>
  onNamespace().fn<number>('greatest', namespaceLevel(userId, day)),
);

/** The effective access level of a user in namespace `n`. */
export const namespaceAccess = (userId: UserId, day: Day): AliasableExpression<number> =>
  userId === 0 ? constant(0) : levelInNamespace({ userId, day });

/** Ids of projects that were shared with groups in which the user has `level` or above. */
function sharedProjects(userId: UserId, day: Day, level: number) {
  return db
    .selectFrom(namespaceLevels(userId, day, level).as('g'))
    .innerJoin('namespaces as invited', (join) =>
      join.on((on) => contains(on.ref('invited.traversal_ids'), on.ref('g.namespace_id'))),
    )
    .innerJoin('project_shares as ps', 'ps.group_id', 'invited.id')
    .innerJoin('projects as shared', 'shared.id', 'ps.project_id')
    .select('ps.project_id as id')
    .where('ps.group_access', '>=', level)
    .where(projectShareHolds('ps', 'shared', day));
}

/** Ids of projects of which the user is a direct member. */
const joinedProjects = (userId: UserId, day: Day, level: number) =>
  db
    .selectFrom('project_members as m')
    .select('m.project_id as id')
    .where('m.user_id', '=', userId)
    .where('m.access_level', '>=', level)
    .where(unexpired('m', day));

/** Caches one condition per requested level; there are only a few levels. */
function forLevels(build: (userId: UserId, day: Day, level: number) => Expression<SqlBool>) {
  const prepared = new Map<number, ReturnType<typeof prepareExpression<Who, SqlBool>>>();
  return (userId: UserId, day: Day, level: number): AliasableExpression<SqlBool> => {
    let condition = prepared.get(level);
    if (!condition) {
      condition = prepareExpression<Who, SqlBool>((who) => build(who.userId, who.day, level));
      prepared.set(level, condition);
    }
    return condition({ userId, day });
  };
}

const hasLevelInProject = forLevels((userId, day, level) => {
  const eb = expressionBuilder<Aliased<TenancyDatabase, { p: 'projects' }>, 'p'>();
  const direct = joinedProjects(userId, day, level);
  const owned = db.selectFrom('namespaces as o').select('o.id').where('o.owner_id', '=', userId);
  const below = db
    .selectFrom(namespaceLevels(userId, day, level).as('g'))
    .innerJoin('namespaces as d', (join) =>
      join.on((on) => contains(on.ref('d.traversal_ids'), on.ref('g.namespace_id'))),
    )
    .select('d.id');
  return eb.or([
    eb('p.id', '=', anyIn(arrayFrom(direct.unionAll(sharedProjects(userId, day, level))))),
    eb('p.namespace_id', '=', anyIn(arrayFrom(owned.unionAll(below)))),
  ]);
});

/**
 * Whether the caller is a member of project `p` at `level` or above, by any means. Uses arrays rather than `in (select
 * …)`: each branch then uses an index, so that a list costs as much as the caller can see, not as much as exists.
 */
export const memberOfProject = (userId: UserId, day: Day, level = GUEST): AliasableExpression<SqlBool> =>
  hasLevelInProject(userId, day, level);

const hasLevelInGroup = forLevels((userId, day, level) => {
  const groups = db.selectFrom(namespaceLevels(userId, day, level).as('g')).select('g.namespace_id');
  return overlaps(onNamespace().ref('n.traversal_ids'), arrayFrom(groups));
});

/** Whether the caller has `level` or above in group `n`, by any way, as indexes serve it. */
export const memberOfGroup = (userId: UserId, day: Day, level = 1): AliasableExpression<SqlBool> =>
  hasLevelInGroup(userId, day, level);

/** Paths of namespaces in which the caller has something: groups, and the namespaces of projects. */
function joinedNamespaces(userId: UserId, day: Day) {
  const groups = db
    .selectFrom(namespaceLevels(userId, day).as('g'))
    .innerJoin('namespaces as d', 'd.id', 'g.namespace_id')
    .select('d.traversal_ids');
  const projects = db
    .selectFrom(
      joinedProjects(userId, day, GUEST)
        .unionAll(sharedProjects(userId, day, GUEST))
        .as('own'),
    )
    .innerJoin('projects as j', 'j.id', 'own.id')
    .innerJoin('namespaces as d', 'd.id', 'j.namespace_id')
    .select('d.traversal_ids');
  return groups.unionAll(projects);
}

const isAboveMembership = prepareExpression<Who, SqlBool>(({ userId, day }) => {
  const above = db
    .selectFrom(joinedNamespaces(userId, day).as('j'))
    .select((of) => of.fn<number>('unnest', ['j.traversal_ids']).as('id'))
    .distinct();
  return onNamespace()('n.id', '=', anyIn(arrayFrom(above)));
});

/**
 * Whether the caller is a member of anything in or below namespace `n`. Evaluated once per statement, starting from the
 * caller's few memberships rather than from the groups.
 */
export const aboveMembership = (userId: UserId, day: Day): AliasableExpression<SqlBool> =>
  userId === 0 ? constant(false) : isAboveMembership({ userId, day });
