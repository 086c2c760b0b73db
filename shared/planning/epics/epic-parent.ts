import type { Context, SignedInContext } from '../../core/context/context.js';
import { Forbidden, Invalid } from '../../core/values/errors.js';
import { lockName } from '../../core/database/lock-name.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import type { PlanningDatabase } from '../planning.entities.js';
import { epicPolicy } from './epic.policy.js';
import type { EpicRecord } from './epic.entity.js';
import { readableEpic } from './epic.finder.js';

/** Levels of a tree of epics, the top one counted. */
const LEVELS = 7;

const problem = (text: string) => new Invalid({ parent: [text] });

/** Serializes changes to a tree of epics: two changes that are each valid could together create a cycle. */
const lockTree = (ctx: Context, rootId: number) => lockName(ctx, `epics of ${rootId}`);

/** The epics from one up to the top of its tree, itself first. */
async function wayUp(ctx: Context, id: number): Promise<number[]> {
  const rows = await ctx.em
    .getKysely<PlanningDatabase>()
    .withRecursive('up(id, parent_id, level)', (db) =>
      db
        .selectFrom('epics as e')
        .select((eb) => ['e.id', 'e.parent_id', eb.lit(1).$castTo<number>().as('level')])
        .where('e.id', '=', id)
        .unionAll(
          db
            .selectFrom('up')
            .innerJoin('epics as e', 'e.id', 'up.parent_id')
            .select((eb) => ['e.id', 'e.parent_id', eb('up.level', '+', eb.lit(1)).as('level')])
            .where((eb) => eb('up.level', '<=', eb.lit(LEVELS))),
        ),
    )
    .selectFrom('up')
    .select('up.id')
    .orderBy('up.level')
    .execute();
  return rows.map((row) => row.id);
}

/** How many levels of epics there are below one, itself counted. */
async function getHeight(ctx: Context, id: number): Promise<number> {
  const { height } = await ctx.em
    .getKysely<PlanningDatabase>()
    .withRecursive('down(id, level)', (db) =>
      db
        .selectNoFrom((eb) => [eb.cast<number>(eb.val(id), 'bigint').as('id'), eb.lit(1).$castTo<number>().as('level')])
        .unionAll(
          db
            .selectFrom('down')
            .innerJoin('epics as e', 'e.parent_id', 'down.id')
            .select((eb) => ['e.id', eb('down.level', '+', eb.lit(1)).as('level')])
            .where((eb) => eb('down.level', '<=', eb.lit(LEVELS))),
        ),
    )
    .selectFrom('down')
    .select((eb) => eb.fn.max('down.level').as('height'))
    .executeTakeFirstOrThrow();
  return height;
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
  const height = child ? await getHeight(ctx, child.id) : 1;
  if (above.length + height > LEVELS) throw problem(`would make more than ${LEVELS} levels of epics`);
  return parent;
}
