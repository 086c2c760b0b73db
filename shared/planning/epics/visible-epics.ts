import { expressionBuilder } from 'kysely';
import type { AliasableExpression, Expression, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import { memberOfGroup } from '../../tenancy/namespaces/access.js';
import { forCaller } from '../../tenancy/namespaces/for-caller.js';
import type { Viewer } from '../../tenancy/namespaces/for-caller.js';
import { isVisibleGroup, visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { onIssuables } from '../issuables/issuable-filters.js';

/** Epics `i`, their groups `n` and settings of these `gs`, as conditions name them. */
export type OfEpics = Aliased<PlanningDatabase, { i: 'epics'; n: 'namespaces'; gs: 'group_settings' }>;

/** Builds conditions on epics `i`. */
export const onEpics = expressionBuilder<OfEpics, 'i'>();

/** Aliases of the epics table in statements. */
type Alias = 'e' | 'i' | 'x';

function isReadable({ admin, anonymous, userId, day }: Viewer, alias: Alias): Expression<SqlBool> {
  if (admin) return constant(true);
  const own = alias as 'i';
  const open = onEpics.not(onEpics.ref(`${own}.confidential`));
  if (anonymous) return open;
  const isAuthor = onEpics(`${own}.author_id`, '=', userId);
  return onEpics.or([open, isAuthor, memberOfGroup(userId, day, ACCESS_LEVELS.planner)]);
}

/** Epics that a viewer may read, as a condition on them, their group `n` and its settings `gs`. */
export const isVisibleEpic = (viewer: Viewer, alias: Alias): Expression<SqlBool> =>
  onEpics.and([isVisibleGroup(viewer), isReadable(viewer, alias)]);

const readableAs: Readonly<Record<Alias, (ctx: Context) => AliasableExpression<SqlBool>>> = {
  e: forCaller((viewer) => isReadable(viewer, 'e')),
  i: forCaller((viewer) => isReadable(viewer, 'i')),
  x: forCaller((viewer) => isReadable(viewer, 'x')),
};

/**
 * Of the epics of groups that the caller may read those that they may read, as a condition on them and their group `n`.
 * @param alias of the table of epics
 */
export const readableInGroup = (ctx: Context, alias: Alias = 'i'): Expression<SqlBool> => readableAs[alias](ctx);

/**
 * Epics that the caller may read: the same rule as `read_epic`, as a condition on them, their group `n` and its
 * settings `gs`.
 * @param alias of the table of epics
 */
export const visibleEpics = (ctx: Context, alias: Alias = 'i'): Expression<SqlBool> =>
  onEpics.and([visibleGroupsCondition(ctx), readableInGroup(ctx, alias)]);

/** That issue `i` is in an epic that the caller may read, or in that very one. */
export function inEpic(ctx: Context, id?: number): Expression<SqlBool> {
  const epics = onIssuables
    .selectFrom('epic_issues as x')
    .innerJoin('epics as e', 'e.id', 'x.epic_id')
    .innerJoin('namespaces as n', 'n.id', 'e.namespace_id')
    .innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id')
    .select(onIssuables.lit(1).as('one'))
    .whereRef('x.issue_id', '=', 'i.id')
    .where(visibleEpics(ctx, 'e'));
  return onIssuables.exists(id === undefined ? epics : epics.where('e.id', '=', id));
}
