import type { Context, SignedInContext } from '../../core/context/context.js';
import { Forbidden, Invalid, NotFound } from '../../core/values/errors.js';
import { makeGroup, parentOfNewGroup } from '../../tenancy/group-details/create-group.js';
import { findGroup } from '../../tenancy/groups/group.finder.js';
import { GroupSettings } from '../../tenancy/groups/group.entity.js';
import type { GroupRecord } from '../../tenancy/groups/group.entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { actAsSender, holdImport, ImportAborted } from '../archive-imports/import-state.js';
import { Failures } from '../archive-imports/failures.js';
import type { RunningImport } from '../archive-imports/import-state.js';
import { containerRestorers } from '../restorers/container-restorers.js';
import { restoreWhole } from '../restorers/restore-relation.js';
import { attribute, copiedRows, tables } from '../archive-imports/restoring.js';
import type { Restorer, RestoringGroup } from '../archive-imports/restoring.js';
import { containerOfGroup } from '../../tenancy/containers/container.js';
import { groupFile } from '../format/layout.js';
import type { CleanRow } from '../staging/clean-row.js';
import { requireImportedGroup } from './import-target.js';
import { importedGroupSettings, importedGroupVisibility } from './imported-settings.js';
import { epicRestorer } from '../restorers/restore-epics.js';

/** Settings that matter to top-level groups: a subgroup keeps them for when it becomes one. */
const namespaceSettingsRestorer: Restorer<RestoringGroup> = {
  relation: 'namespace_settings',
  async restore(restoring) {
    const { container } = restoring;
    const prevents = attribute('prevent_sharing_groups_outside_hierarchy');
    await tables(restoring)
      .with('found', (db) =>
        db
          .updateTable('archive_import_rows as r')
          .set({ made_id: container.id })
          .where(copiedRows(restoring, 'namespace_settings'))
          .where(prevents, 'is not', null)
          .returning((eb) => eb.cast<boolean>(prevents, 'boolean').as('prevents')),
      )
      .updateTable('group_settings as gs')
      .from('found as f')
      .set((eb) => ({ prevent_sharing_groups_outside_hierarchy: eb.ref('f.prevents') }))
      .where('gs.namespace_id', '=', container.id)
      .execute();
  },
};

const { contributors, members, labels, milestones, badges, boards } = containerRestorers('group');

/** In the order in which they need each other. */
const restorers: readonly Restorer<RestoringGroup>[] = [
  contributors,
  namespaceSettingsRestorer,
  members,
  labels,
  milestones,
  badges,
  boards,
  epicRestorer,
];

/** A group of the archive that is to be created next. */
interface Waiting {
  source_id: number;
  position: number;
  attributes: CleanRow | null;
  /** The id of the group created for its parent. */
  parent_id: number | null;
}

/** A group cannot be created: it and its descendants are left out. */
class GroupSkipped extends Error {}

const NO_ROOT = 'The attributes of the exported group are missing or not what they should be.';
/** The top group gets what it was exported with, but for name, path, visibility and parent. */
async function fillRoot(ctx: SignedInContext, root: GroupRecord, attributes: CleanRow): Promise<GroupRecord> {
  const settings = importedGroupSettings(ctx, attributes, root.settings);
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
    const visibility = importedGroupVisibility(attributes, parent);
    const settings = importedGroupSettings(ctx, attributes, null);
    return await makeGroup(ctx, { name: name ?? '', path: path ?? '', description, visibility, settings }, parent);
  } catch (error) {
    if (error instanceof Invalid || error instanceof NotFound || error instanceof Forbidden)
      throw new GroupSkipped(error.message);
    throw error;
  }
}

/** The relations that the group has rows of. */
async function getRelations(restoring: RestoringGroup): Promise<Set<string>> {
  const rows = await tables(restoring)
    .selectFrom('archive_import_rows as r')
    .select('r.relation')
    .distinct()
    .where('r.import_id', '=', restoring.importId)
    .where('r.source_group', '=', restoring.source)
    .execute();
  return new Set(rows.map(({ relation }) => relation));
}

/** Restores a group with all that is in it, in the open transaction. @throws GroupSkipped, ImportAborted */
async function restoreGroup(ctx: SignedInContext, found: RunningImport, waiting: Waiting): Promise<void> {
  const root = await requireImportedGroup(ctx, found.namespace_id);
  const { attributes, source_id: source, position, parent_id } = waiting;
  if (attributes === null && position === 0) throw new ImportAborted(NO_ROOT);
  if (attributes === null) throw new GroupSkipped('its attributes are missing or not what they should be');
  if (position > 0 && parent_id === null) throw new GroupSkipped('the group above it is not there');
  const group =
    position === 0 ? await fillRoot(ctx, root, attributes) : await makeSubgroup(ctx, parent_id as number, attributes);
  const restoring: RestoringGroup = { ctx, importId: found.id, source, container: containerOfGroup(group) };
  const present = await getRelations(restoring);
  for (const restorer of restorers.filter(({ relation }) => present.has(relation))) {
    ctx.signal.throwIfAborted();
    await restoreWhole(restoring, restorer);
  }
  await recordGroup(ctx, found, source, { status: 'done', group_id: group.id });
}

/** The next group of the archive's list that was not handled. */
const nextWaiting = (ctx: Context, importId: number) =>
  tables({ ctx })
    .selectFrom('archive_import_groups as g')
    .leftJoin('archive_import_groups as above', (join) =>
      join
        .onRef('above.import_id', '=', 'g.import_id')
        .onRef('above.source_id', '=', 'g.parent_source_id')
        .on('above.status', '=', 'done'),
    )
    .select(['g.source_id', 'g.position', 'g.attributes', 'above.group_id as parent_id'])
    .where('g.import_id', '=', importId)
    .where('g.status', '=', 'waiting')
    .orderBy('g.position')
    .limit(1)
    .executeTakeFirst() as Promise<Waiting | undefined>;

/** Writes down what became of a group of the archive. */
const recordGroup = (
  ctx: Context,
  { id }: RunningImport,
  source: number,
  result: { status: 'done' | 'skipped'; group_id?: number },
) =>
  tables({ ctx })
    .updateTable('archive_import_groups')
    .set(result)
    .where('import_id', '=', id)
    .where('source_id', '=', source)
    .execute();

async function skipGroup(ctx: Context, found: RunningImport, waiting: Waiting, reason: string): Promise<void> {
  const failures = new Failures(found);
  const file = groupFile(waiting.source_id);
  failures.add({ file, line: null, relation: 'self', reason: `The group is left out: ${reason}` });
  await ctx.transaction(async () => {
    await holdImport(ctx, found);
    await failures.store(ctx);
    await recordGroup(ctx, found, waiting.source_id, { status: 'skipped' });
  });
}

/**
 * Makes the groups of an archive out of its copied rows, one transaction for each. One that cannot be made is left out
 * with all below it, and the reason reported. Safe to go on with after a crash.
 * @throws ImportAborted
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
