import { expressionBuilder } from 'kysely';
import type { AliasableExpression, Expression, SelectQueryBuilder, SqlBool } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { byId, narrow } from '../../core/database/list.js';
import { columns } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import type { List } from '../../core/database/list.js';
import { readRows } from '../../core/database/prepared.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { memberOfProject, today } from '../../tenancy/namespaces/access.js';
import { DeployKey } from './deploy-key.entity.js';

/** A key as a project has it. */
export interface ProjectDeployKey extends DeployKey {
  can_push: boolean;
  /** When the project got it, or what it may do there was last changed. */
  linked_at: Date;
}

/** Keys `k`, and as projects have them: their links `d`. */
type OfKeys = Aliased<RepositoriesDatabase, { d: 'deploy_keys_projects'; k: 'deploy_keys' }>;

/** Builds conditions on keys `k` and their links `d`. */
export const onKeys = expressionBuilder<OfKeys, 'd' | 'k'>();

/** All keys of the instance, the oldest first. */
export function deployKeys(where: readonly Expression<SqlBool>[] = []): List<DeployKey> {
  const list: List<DeployKey> = {
    matching: onKeys.selectFrom('deploy_keys as k'),
    select: (query) => query.select(columns(DeployKey, 'k')),
    order: [byId('k', 'asc')],
  };
  return narrow(list, where);
}

const linkedKeys = (project: { id: number }) =>
  onKeys
    .selectFrom('deploy_keys_projects as d')
    .innerJoin('deploy_keys as k', 'k.id', 'd.deploy_key_id')
    .where('d.project_id', '=', project.id);

const selectLinked = <Row>(query: SelectQueryBuilder<OfKeys, 'd' | 'k', Row>) =>
  query.select([...columns(DeployKey, 'k'), 'd.can_push', 'd.updated_at as linked_at']);

/** The keys of a project, the oldest first. */
export const findDeployKeys = (project: { id: number }): List<ProjectDeployKey> => ({
  matching: linkedKeys(project),
  select: selectLinked,
  order: [byId('k', 'asc')],
});

/** A key of a project; for a write its link is locked. @returns null where the project has no such key */
export async function findDeployKeyOrNull(
  ctx: Context,
  project: { id: number },
  id: number,
): Promise<ProjectDeployKey | null> {
  const query = selectLinked(linkedKeys(project)).where('d.deploy_key_id', '=', id);
  const [row] = await readRows<ProjectDeployKey>(ctx.em, ctx.inTransaction ? query.forNoKeyUpdate('d') : query);
  return row ?? null;
}

/** The same. @throws NotFound "404 Not found" */
export async function findDeployKey(ctx: Context, project: { id: number }, id: number): Promise<ProjectDeployKey> {
  const key = await findDeployKeyOrNull(ctx, project, id);
  if (!key) throw new NotFound();
  return key;
}

/** A key, and whether the caller may have it in another project, as long as the transaction lasts. */
export type AvailableDeployKey = DeployKey & { accessible: boolean };

/**
 * The key that matches a condition on `k`, locked against deletion. Administrators can access all keys of other
 * projects; other callers public ones, and keys of projects that they are members of.
 */
export async function lockDeployKey(ctx: Context, condition: Expression<SqlBool>): Promise<AvailableDeployKey | null> {
  const row = await ctx.em
    .getKysely<OfKeys>()
    .selectFrom('deploy_keys as k')
    .select([...columns(DeployKey, 'k'), isWithinReach(ctx).as('accessible')])
    .where(condition)
    .forKeyShare('k')
    .executeTakeFirst();
  return row ?? null;
}

function isWithinReach(ctx: Context): AliasableExpression<boolean> {
  const { caller } = ctx;
  if (caller.admin) return constant(true);
  const elsewhere = onKeys
    .selectFrom('deploy_keys_projects as d')
    .innerJoin('projects as p', 'p.id', 'd.project_id')
    .select(onKeys.lit(1).as('one'))
    .whereRef('d.deploy_key_id', '=', 'k.id')
    .where('p.removal_started_at', 'is', null)
    .where(memberOfProject(caller.id, today(ctx)));
  return onKeys.or([onKeys.ref('k.public'), onKeys.exists(elsewhere)]).$castTo<boolean>();
}
