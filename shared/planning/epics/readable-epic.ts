import type { Context } from '../../core/context/context.js';
import { groupsById } from '../../tenancy/groups/group.finder.js';
import { epicsById } from './epic.finder.js';
import type { EpicRecord } from './epic.record.js';

/**
 * The epic of a global id with its group, as it is: for what looks at an epic beside the one that it changes, and must
 * not wait for those who change the other. Null where the caller may not read it.
 */
export async function readableEpic(ctx: Context, id: number): Promise<EpicRecord | null> {
  const found = (await epicsById(ctx, [id])).get(id);
  if (!found) return null;
  const group = (await groupsById(ctx, [found.namespace_id])).get(found.namespace_id);
  return group ? { ...found, group } : null;
}
