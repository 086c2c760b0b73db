import type { Context, SignedInContext } from '../../core/context.js';
import { Forbidden, Invalid } from '../../core/errors.js';
import { sql } from '../../core/sql.js';
import type { GroupRecord } from '../../tenancy/groups/group.record.js';
import { epicPolicy } from '../epics/epic.policy.js';
import type { EpicRecord } from '../epics/epic.record.js';
import { readableEpic } from '../epics/readable-epic.js';

/** Levels of a tree of epics, the top one counted. */
const LEVELS = 7;

const problem = (text: string) => new Invalid({ parent: [text] });

/** Whoever changes a tree of epics waits for each other: two changes that are right alone could make a circle. */
const lockTree = (ctx: Context, rootId: number) =>
  ctx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`epics of ${rootId}`}, 0))`);

/** The epics from one up to the top of its tree, itself first. */
async function wayUp(ctx: Context, id: number): Promise<number[]> {
  const rows = await ctx.query<{ id: number }>(sql`
    with recursive up (id, parent_id, level) as (
      select e.id, e.parent_id, 1 from epics e where e.id = ${id}
      union all
      select e.id, e.parent_id, up.level + 1 from up join epics e on e.id = up.parent_id where up.level <= ${LEVELS})
    select up.id as "id" from up order by up.level`);
  return rows.map((row) => row.id);
}

/** How many levels of epics there are below one, itself counted. */
async function heightOf(ctx: Context, id: number): Promise<number> {
  const row = await ctx.queryOne<{ height: number }>(sql`
    with recursive down (id, level) as (
      select ${id}::bigint, 1
      union all
      select e.id, down.level + 1 from down join epics e on e.parent_id = down.id where down.level <= ${LEVELS})
    select max(down.level) as "height" from down`);
  return row?.height ?? 1;
}

/**
 * The epic that is to be above another one: of the same tree of groups, not below it, and so that there are seven
 * levels at most. The tree stays as it is until the transaction ends.
 * @param child the epic that moves; null for one that is to be made
 * @throws Invalid, Forbidden for a parent that the caller may not change
 */
export async function chosenParent(
  ctx: SignedInContext,
  found: GroupRecord,
  { child, id, confidential }: { child: EpicRecord | null; id: number; confidential: boolean },
): Promise<EpicRecord> {
  await lockTree(ctx, found.traversal_ids[0] ?? found.id);
  const parent = await readableEpic(ctx, id);
  if (!parent) throw problem('not found');
  if (!epicPolicy.update_epic(ctx.caller, parent)) throw new Forbidden();
  if (parent.group.traversal_ids[0] !== found.traversal_ids[0]) throw problem('belongs to another tree of groups');
  if (parent.confidential && !confidential)
    throw problem('is confidential: what is below it has to be confidential too');
  const above = await wayUp(ctx, parent.id);
  if (child && above.includes(child.id)) throw problem('is the epic itself, or an epic below it');
  const height = child ? await heightOf(ctx, child.id) : 1;
  if (above.length + height > LEVELS) throw problem(`would make more than ${LEVELS} levels of epics`);
  return parent;
}
