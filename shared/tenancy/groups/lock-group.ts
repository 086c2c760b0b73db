import type { GroupRecord } from './group.entity.js';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { Resource } from '../../core/operations/operation.js';
import { ACCESS_LEVELS } from '../../core/operations/policy.js';
import type { TenancyDatabase } from '../tenancy.entities.js';
import { namespaceAccess, today } from '../namespaces/access.js';
import { lockTree } from '../namespaces/claim-path.js';
import { findGroup, group, groupCondition } from './group.finder.js';

/**
 * Fields that are checked against ancestors and descendants, or that move descendants. Changing them locks the whole
 * tree.
 */
const ABOUT_TREE = ['name', 'path', 'visibility', 'shared_runners_setting'] as const;

type Input = { id: string } & Partial<Record<(typeof ABOUT_TREE)[number], unknown>>;

/** The id of a group that the caller may edit; null for any other. */
async function idToEdit(ctx: Context, reference: string, lock: boolean): Promise<number | null> {
  const condition = groupCondition(reference);
  if (!condition) return null;
  const { caller } = ctx;
  let query = ctx.em
    .getKysely<TenancyDatabase>()
    .selectFrom('namespaces as n')
    .innerJoin('routes as r', 'r.namespace_id', 'n.id')
    .select('n.id')
    .where(condition)
    .where('n.kind', '=', constant('group'));
  if (!caller.admin) query = query.where((eb) => eb(namespaceAccess(caller.id, today(ctx)), '>=', ACCESS_LEVELS.owner));
  const found = await (lock ? query.forUpdate('n') : query).executeTakeFirst();
  return found?.id ?? null;
}

/**
 * The resource of operations that edit a group. Locks the group before finding it, and the tree below it if the
 * submitted fields concern the tree, so that the found state cannot change. Only callers who may edit the group lock
 * it; others find it as usual and are refused.
 */
export const editedGroup: Resource<GroupRecord> = {
  ...group,
  async find(ctx, input: Input) {
    const aboutTree = ABOUT_TREE.some((name) => input[name] !== undefined);
    const id = await idToEdit(ctx, input.id, !aboutTree);
    if (id === null) return group.find(ctx, input);
    if (aboutTree) await lockTree(ctx, id);
    return findGroup(ctx, id);
  },
};
