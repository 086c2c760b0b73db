import type { Expression, SqlBool } from 'kysely';
import type { ContainerRef } from '../../core/operations/container.js';
import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { anyOf } from '../../core/database/expressions.js';
import { today } from '../../tenancy/namespaces/access.js';
import { idsWithin } from '../../tenancy/namespaces/below.js';
import type { DeploymentsDatabase } from '../deployments.entities.js';
import { belongsTo } from './protected-environment.finder.js';
import { groupBelongs, onEntries, roleAt } from './qualifying-entries.js';

/** The entries to check: those of one user, of one group, or of all. */
type EntryOwner = { user_id: number } | { group_id: number } | 'everybody';

/** Whether the user of entry `l` no longer has a role in the container of protected environment `pe`. */
const userIsGone = (day: string): Expression<SqlBool> =>
  onEntries.and([
    onEntries('l.user_id', 'is not', null),
    onEntries(roleAt(onEntries.ref('l.user_id').$notNull(), day), '=', onEntries.lit(0)),
  ]);

/** Whether the group of entry `l` is no longer eligible in the container of protected environment `pe`. */
const groupIsGone = (day: string): Expression<SqlBool> =>
  onEntries.and([onEntries('l.group_id', 'is not', null), onEntries.not(groupBelongs(day))]);

function selectStranded(owner: EntryOwner, day: string): Expression<SqlBool> {
  if (owner === 'everybody') return onEntries.or([userIsGone(day), groupIsGone(day)]);
  if ('user_id' in owner) return onEntries.and([onEntries('l.user_id', '=', owner.user_id), userIsGone(day)]);
  return onEntries.and([onEntries('l.group_id', '=', owner.group_id), groupIsGone(day)]);
}

/**
 * Removes entries for users or groups that no longer belong to the container. If no approval rule would be left, the
 * first one stays and becomes a rule for Maintainers (protected-environments.md section 7); the database sets the
 * access level.
 * @param condition on `pe` that selects the protected environments to check
 */
async function removeNames(
  ctx: Context<Caller>,
  condition: Expression<SqlBool>,
  stranded: Expression<SqlBool>,
): Promise<void> {
  const db = ctx.em.getKysely<DeploymentsDatabase>();
  await db
    .deleteFrom('protected_environment_deploy_levels as l')
    .using('protected_environments as pe')
    .whereRef('pe.id', '=', 'l.protected_environment_id')
    .where(condition)
    .where(stranded)
    .execute();
  await db
    .with('gone', (of) =>
      of
        .selectFrom('protected_environment_approval_rules as l')
        .innerJoin('protected_environments as pe', 'pe.id', 'l.protected_environment_id')
        .select((eb) => {
          const number = eb.fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('l.protected_environment_id').orderBy('l.id'));
          return ['l.id', 'l.protected_environment_id', eb(number, '=', eb.lit(1)).$castTo<boolean>().as('first')];
        })
        .where(condition)
        .where(stranded),
    )
    .with('kept', (of) =>
      of
        .selectFrom('gone as g')
        .select('g.id')
        .where((eb) => {
          const others = eb
            .selectFrom('protected_environment_approval_rules as o')
            .select(eb.lit(1).as('one'))
            .whereRef('o.protected_environment_id', '=', 'g.protected_environment_id')
            .where('o.id', 'not in', eb.selectFrom('gone').select('gone.id'));
          return eb.and([eb.ref('g.first'), eb.not(eb.exists(others))]);
        }),
    )
    .with('cleared', (of) =>
      of
        .updateTable('protected_environment_approval_rules as r')
        .from('kept')
        .set({ user_id: null, group_id: null })
        .whereRef('r.id', '=', 'kept.id'),
    )
    .deleteFrom('protected_environment_approval_rules as r')
    .using('gone')
    .whereRef('r.id', '=', 'gone.id')
    .where('r.id', 'not in', (eb) => eb.selectFrom('kept').select('kept.id'))
    .execute();
}

/** Whether protected environment `pe` belongs to a group, or to any of its descendants. */
function isWithin(groupId: number): Expression<SqlBool> {
  const below = idsWithin(groupId);
  const projects = onEntries.selectFrom('projects as p').select('p.id').where('p.namespace_id', 'in', below);
  return onEntries.or([onEntries('pe.namespace_id', 'in', below), onEntries('pe.project_id', 'in', projects)]);
}

/** After a member is removed, a share ends, or a project or group moves. @param container with all that lies below it */
export async function removeStrandedNames(
  ctx: Context<Caller>,
  owner: EntryOwner,
  container: ContainerRef,
): Promise<void> {
  const condition = container.kind === 'project' ? belongsTo(container) : isWithin(container.id);
  await removeNames(ctx, condition, selectStranded(owner, today(ctx)));
}

/**
 * Cleans up after a group transfer: removes entries of its former ancestors for the group or its descendants.
 * @param before the group in its former location
 */
export async function removeStrandedOfTransfer(
  ctx: Context<Caller>,
  before: { traversal_ids: readonly number[] },
): Promise<void> {
  await removeNames(
    ctx,
    onEntries('pe.namespace_id', '=', anyOf(before.traversal_ids, 'bigint')),
    groupIsGone(today(ctx)),
  );
}
