import type { Context } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { byId } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import { epicsOfAll, findEpicById } from '../epics/epic.finder.js';
import type { EpicRecord, ListedEpic } from '../epics/epic.entity.js';
import { onEpics } from '../epics/visible-epics.js';
import { GAP, selectPosition } from '../issuables/move-among-siblings.js';

/** Position of an epic among its siblings: the one it was moved to, or else derived from its id, behind older ones. */
export const positionOfChild = (epic: ListedEpic): number => epic.relative_position ?? epic.id * GAP;

/** The epics right below one that the caller may read, in their order. */
export function findChildEpics(ctx: Context, { id, full_path }: EpicRecord): List<ListedEpic> {
  return {
    ...epicsOfAll(ctx, [onEpics('i.parent_id', '=', id)]),
    order: [
      {
        key: 'position',
        expression: selectPosition('i'),
        direction: 'asc',
        type: 'integer',
        value: positionOfChild,
      },
      byId('i', 'asc'),
    ],
    read: (row) => ({ ...row, reference_base: full_path }),
  };
}

/** An epic right below another one; for a write it is locked. @throws NotFound "404 Not found" */
export async function findChild(ctx: Context, parent: EpicRecord, id: number): Promise<EpicRecord> {
  const child = await findEpicById(ctx, id);
  if (child.parent_id !== parent.id) throw new NotFound();
  return child;
}
