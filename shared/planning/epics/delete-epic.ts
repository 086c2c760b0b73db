import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { can, operation } from '../../core/operations/operation.js';
import { Epic } from './epic.entity.js';
import type { EpicRecord } from './epic.entity.js';
import { epic } from './epic.finder.js';
import { epicPolicy } from './epic.policy.js';

async function remove(ctx: Context, found: EpicRecord): Promise<void> {
  ctx.record({ type: 'epic.deleted', epic: found, group: found.group });
  // Subscribers read the dependent records while they still exist.
  await ctx.publishRecorded();
  if ((await ctx.em.nativeDelete(Epic, { id: found.id })) === 0) throw new NotFound();
}

/** Delete an epic: Owners of the group. Its issues stay, and the epics below it become the top of a tree of their own. */
export const deleteEpic = operation({
  name: 'deleteEpic',
  summary: 'Delete an epic',
  resource: epic,
  can: can(epicPolicy, 'destroy_epic'),
  plan: 'premium',
  kind: 'write',
  conditional: true,
  run: (ctx, found) => remove(ctx, found),
});
