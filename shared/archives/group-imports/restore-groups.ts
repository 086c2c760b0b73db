import type { Context, SignedInContext } from '../../core/context.js';
import { Forbidden, Invalid, NotFound } from '../../core/errors.js';
import { sql } from '../../core/sql.js';
import { makeGroup, parentOfNewGroup } from '../../tenancy/group-lifecycle/create-group.js';
import { findGroup } from '../../tenancy/groups/group.finder.js';
import { groupPolicy } from '../../tenancy/groups/group.policy.js';
import type { GroupRecord } from '../../tenancy/groups/group.record.js';
import { GroupSettings } from '../../tenancy/groups/group-settings.entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { actAsSender } from '../archive-imports/act-as-sender.js';
import { Failures, NO_PLAN, noteUnrestored, tellProblems } from '../archive-imports/failures.js';
import { holdImport, ImportEnded } from '../archive-imports/import-state.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { toldOfImport } from '../archives.pages.js';
import { isRestored, rowsOfRelation } from '../archive-imports/restoring.js';
import type { Restorer, Restoring } from '../archive-imports/restoring.js';
import { groupFile, groupRelationFile } from '../format/layout.js';
import type { CleanRow } from '../staging/clean-row.js';
import { importedSettings, visibilityOf } from './group-values.js';
import { epicRestorer } from './restore-epics.js';
import { contributorRestorer, namespaceSettingsRestorer } from './restore-settings.js';
import { boardRestorer } from './restore-boards.js';
import { memberRestorer } from './restore-members.js';
import { badgeRestorer, labelRestorer, milestoneRestorer } from './restore-planning.js';

/** In the order in which they need each other. */
const restorers: readonly Restorer[] = [
  contributorRestorer,
  namespaceSettingsRestorer,
  memberRestorer,
  labelRestorer,
  milestoneRestorer,
  badgeRestorer,
  boardRestorer,
  epicRestorer,
];

/** A group of the archive whose turn it is. */
interface Waiting {
  source_id: number;
  position: number;
  parent_source_id: number | null;
  attributes: CleanRow | null;
  /** What was made of the group above it. */
  parent_id: number | null;
}

/** A group cannot be made: it and what is below it is left out. */
class GroupSkipped extends Error {}

const NO_ROOT = 'The attributes of the exported group are missing or not what they should be.';
const ROOT_GONE = 'The user who asked for the import is no Owner of the group any more.';

/** The group that the import makes, if its importer is still its Owner and it still takes anything. @throws ImportEnded */
export async function rootOf(ctx: SignedInContext, namespaceId: number): Promise<GroupRecord> {
  const root = await findGroup(ctx, namespaceId).catch((error: unknown) => {
    if (error instanceof NotFound) throw new ImportEnded(ROOT_GONE);
    throw error;
  });
  if (!groupPolicy.admin_group(ctx.caller, root)) throw new ImportEnded(ROOT_GONE);
  if (root.frozen || root.archived) throw new ImportEnded('The group is archived, or about to be deleted.');
  return root;
}

/** The top group gets what it was exported with, but for name, path, visibility and place. */
async function fillRoot(ctx: SignedInContext, root: GroupRecord, attributes: CleanRow): Promise<GroupRecord> {
  const settings = importedSettings(ctx, attributes, root.settings);
  const description = (attributes.description ?? root.description) as string;
  await ctx.em.nativeUpdate(Namespace, { id: root.id }, { description, updated_at: ctx.clock.now() });
  if (Object.keys(settings).length > 0) await ctx.em.nativeUpdate(GroupSettings, { namespace_id: root.id }, settings);
  const after = await findGroup(ctx, root.id);
  ctx.record({ type: 'group.updated', before: root, after });
  return after;
}

/** Makes a subgroup by the rules for every new one. @throws GroupSkipped */
async function makeSubgroup(ctx: SignedInContext, parentId: number, attributes: CleanRow): Promise<GroupRecord> {
  const { name, path, description } = attributes as Record<string, string | null>;
  try {
    const parent = await parentOfNewGroup(ctx, parentId);
    const visibility = visibilityOf(attributes, parent);
    const settings = importedSettings(ctx, attributes, null);
    return await makeGroup(ctx, { name: name ?? '', path: path ?? '', description, visibility, settings }, parent);
  } catch (error) {
    if (error instanceof Invalid || error instanceof NotFound || error instanceof Forbidden)
      throw new GroupSkipped(error.message);
    throw error;
  }
}

async function countRestored({ ctx, importId, source }: Restoring, relation: string): Promise<void> {
  await ctx.query(sql`
    update archive_import_relations p set imported = p.imported + x.imported, skipped = p.skipped + x.skipped
      from (select count(*) filter (where ${isRestored})::integer as imported,
                   count(*) filter (where not ${isRestored})::integer as skipped
              from archive_import_rows r where ${rowsOfRelation({ importId, source }, relation)}) x
     where p.import_id = ${importId} and p.relation = ${relation}
    returning ${toldOfImport('p.import_id')}`);
}

/** The rows of a relation stay where they are, since the plan has nothing to make of them. */
async function noteNoPlan(restoring: Restoring, relation: string): Promise<void> {
  await restoring.ctx.query(sql`
    update archive_import_rows r set problem = ${NO_PLAN}
     where ${rowsOfRelation(restoring, relation)}`);
}

/** The relations that the group has rows of. */
async function relationsOf({ ctx, importId, source }: Restoring): Promise<Set<string>> {
  const rows = await ctx.query<{ relation: string }>(sql`
    select distinct r.relation as "relation" from archive_import_rows r
     where r.import_id = ${importId} and r.source_group = ${source}`);
  return new Set(rows.map(({ relation }) => relation));
}

/** Brings a group back with all that is in it, in the open transaction. @throws GroupSkipped, ImportEnded */
async function restoreGroup(ctx: SignedInContext, found: RunningImport, waiting: Waiting): Promise<void> {
  const root = await rootOf(ctx, found.namespace_id);
  const { attributes, source_id: source, position, parent_id } = waiting;
  if (attributes === null && position === 0) throw new ImportEnded(NO_ROOT);
  if (attributes === null) throw new GroupSkipped('its attributes are missing or not what they should be');
  if (position > 0 && parent_id === null) throw new GroupSkipped('the group above it is not there');
  const group =
    position === 0 ? await fillRoot(ctx, root, attributes) : await makeSubgroup(ctx, parent_id as number, attributes);
  const restoring: Restoring = { ctx, importId: found.id, source, group };
  const there = await relationsOf(restoring);
  for (const { relation, plan, restore } of restorers.filter((one) => there.has(one.relation))) {
    ctx.signal.throwIfAborted();
    if (plan === undefined || ctx.hasPlan(plan)) await restore(restoring);
    else await noteNoPlan(restoring, relation);
    await countRestored(restoring, relation);
    const rows = rowsOfRelation(restoring, relation);
    await noteUnrestored(ctx, rows);
    await tellProblems(ctx, { importId: found.id, rows, file: groupRelationFile(source, relation) });
  }
  // Plain SQL: the table has no entity, for nobody is shown its rows.
  await ctx.query(sql`
    update archive_import_groups set status = 'done', group_id = ${group.id}
     where import_id = ${found.id} and source_id = ${source}`);
}

/** The next group of the archive's list that was not looked at. */
const nextWaiting = (ctx: Context, importId: number) =>
  ctx.queryOne<Waiting>(sql`
    select g.source_id as "source_id", g.position as "position", g.parent_source_id as "parent_source_id",
           g.attributes as "attributes",
           (select above.group_id from archive_import_groups above
             where above.import_id = g.import_id and above.source_id = g.parent_source_id and above.status = 'done')
             as "parent_id"
      from archive_import_groups g
     where g.import_id = ${importId} and g.status = 'waiting' order by g.position limit 1`);

async function skipGroup(ctx: Context, found: RunningImport, waiting: Waiting, reason: string): Promise<void> {
  const failures = new Failures(found);
  const file = groupFile(waiting.source_id);
  failures.add({ file, line: null, relation: 'self', reason: `The group is left out: ${reason}` });
  await ctx.transaction(async () => {
    await holdImport(ctx, found);
    await failures.store(ctx);
    // Plain SQL: the same.
    await ctx.query(sql`
      update archive_import_groups set status = 'skipped'
       where import_id = ${found.id} and source_id = ${waiting.source_id}`);
  });
}

/**
 * Makes the groups of an archive out of its copied rows, one transaction for each. One that cannot be made is left out
 * with all below it, and the reason told. Safe to go on with after a crash.
 * @throws ImportEnded
 */
export async function restoreGroups(ctx: Context, found: RunningImport): Promise<void> {
  for (let waiting = await nextWaiting(ctx, found.id); waiting; waiting = await nextWaiting(ctx, found.id)) {
    ctx.signal.throwIfAborted();
    const next = waiting;
    try {
      await ctx.transaction(async () => {
        await holdImport(ctx, found);
        await restoreGroup(await actAsSender(ctx, found.user_id), found, next);
      });
    } catch (error) {
      if (!(error instanceof GroupSkipped)) throw error;
      await skipGroup(ctx, found, next, error.message);
    }
  }
}
