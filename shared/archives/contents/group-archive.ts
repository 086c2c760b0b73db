import type { Context } from '../../core/context/context.js';
import type { Queryable } from '../../core/database/database.js';
import { SERVICE_VERSION } from '../../core/values/version.js';
import {
  ALL_GROUPS_FILE,
  FORMAT_VERSION,
  groupFile,
  groupRelationFile,
  PRODUCT_REVISION_FILE,
  PRODUCT_VERSION_FILE,
  VERSION_FILE,
} from '../format/layout.js';
import { groupWikiBundles } from './content-bundles.js';
import { readGroupRelations } from './group-readers.js';
import { db } from './json-values.js';
import type { PackedFile } from './pack.js';
import { snapshotRows } from './snapshot.js';
import type { Progress } from './read-relation.js';
import { relationFiles, writtenRelations } from './read-relation.js';
import { avatarUrl } from '../../instance/avatars/avatars.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, arrayOf, contains } from '../../core/database/expressions.js';
import type { DefaultBranchProtection } from '../../tenancy/groups/default-branch-protection.js';
import { protectionLevel, protectionOf } from '../../tenancy/groups/default-branch-protection.js';
import { visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';
import { GroupSettings } from '../../tenancy/groups/group-settings.entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import {
  groupAttributes,
  PROJECT_CREATION_LEVELS,
  SUBGROUP_CREATION_LEVELS,
  VISIBILITY_LEVELS,
} from '../format/group-relations.js';

const groups = db.selectFrom('namespaces as n').innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id');

/** The exported group and those below it that the exporter sees, parents before what is in them. */
async function groupIdsOf(ctx: Context, snapshot: Queryable, rootId: number): Promise<number[]> {
  const rows = await snapshotRows(
    snapshot,
    groups
      .select('n.id')
      .where((eb) => contains(eb.ref('n.traversal_ids'), eb.cast<number>(eb.val(rootId), 'bigint')))
      .where(visibleGroupsCondition(ctx))
      .orderBy(({ fn }) => fn<number>('cardinality', ['n.traversal_ids']))
      .orderBy('n.id'),
  );
  return rows.map(({ id }) => id);
}

/** Settings that are written as they are stored. */
const SETTINGS = [
  ...(['membership_lock', 'share_with_group_lock', 'request_access_enabled', 'lfs_enabled'] as const),
  ...(['require_two_factor_authentication', 'two_factor_grace_period', 'project_creation_level'] as const),
  ...(['subgroup_creation_level', 'emails_enabled', 'auto_devops_enabled', 'mentions_disabled'] as const),
  'max_artifacts_size' as const,
];

type Row = Pick<Namespace, 'id' | 'name' | 'path' | 'description' | 'visibility' | 'parent_id' | 'avatar'> &
  Pick<GroupSettings, (typeof SETTINGS)[number]> & { protection: DefaultBranchProtection | null };

/** A group's attributes, in the order of the format. */
function attributesOf(ctx: Context, row: Row): Record<string, unknown> {
  const { visibility, avatar, emails_enabled: emails, protection, ...stored } = row;
  const values: Record<string, unknown> = {
    ...stored,
    avatar: { url: avatarUrl(ctx, { kind: 'group', id: row.id }, avatar) },
    visibility_level: VISIBILITY_LEVELS[visibility as keyof typeof VISIBILITY_LEVELS],
    project_creation_level: PROJECT_CREATION_LEVELS.indexOf(row.project_creation_level as 'noone'),
    subgroup_creation_level: SUBGROUP_CREATION_LEVELS.indexOf(row.subgroup_creation_level as 'owner'),
    emails_disabled: !emails,
    emails_enabled: emails,
    default_branch_protection: protectionLevel(protectionOf(protection)),
  };
  return Object.fromEntries(Object.keys(groupAttributes).map((name) => [name, values[name] ?? null]));
}

/** The attributes of some groups, as `<id>.json` holds them, in the order of their ids in `ids`. */
export async function groupObjects(
  ctx: Context,
  snapshot: Queryable,
  ids: readonly number[],
): Promise<{ id: number; json: string }[]> {
  const rows: Row[] = await snapshotRows(
    snapshot,
    groups
      .select(columns(Namespace, 'n', ['id', 'name', 'path', 'description', 'visibility', 'parent_id', 'avatar']))
      .select(columns(GroupSettings, 'gs', SETTINGS))
      .select('gs.default_branch_protection_defaults as protection')
      .where('n.id', '=', anyOf(ids, 'bigint'))
      .orderBy(({ fn }) => fn<number>('array_position', [arrayOf(ids, 'bigint'), 'n.id'])),
  );
  return rows.map((row) => ({ id: row.id, json: JSON.stringify(attributesOf(ctx, row)) }));
}

/** Groups whose attributes are read together. */
const GROUPS = 200;

export const textFile = (name: string, text: string): PackedFile => {
  const content = Buffer.from(text);
  return { name, bytes: content.length, content };
};

/** What every archive begins with. */
export const versionFiles = (ctx: Context): PackedFile[] => [
  textFile(VERSION_FILE, FORMAT_VERSION),
  textFile(PRODUCT_VERSION_FILE, SERVICE_VERSION),
  textFile(PRODUCT_REVISION_FILE, ctx.config.revision),
];

/**
 * The files of a group's archive (group-export-import.md section 3), as the context's user sees the group in a snapshot:
 * always the same ones in the same order for the same group.
 */
export async function* groupArchive(
  ctx: Context,
  snapshot: Queryable,
  rootId: number,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  yield* versionFiles(ctx);
  const ids = await groupIdsOf(ctx, snapshot, rootId);
  await progress.begin('groups', ids.length);
  yield textFile(ALL_GROUPS_FILE, ids.map((id) => `${id}\n`).join(''));
  for (let at = 0; at < ids.length; at += GROUPS) {
    const objects = await groupObjects(ctx, snapshot, ids.slice(at, at + GROUPS));
    for (const { id, json } of objects) yield textFile(groupFile(id), json);
    await progress.done('groups', objects.length);
  }
  for (const relation of writtenRelations(ctx, readGroupRelations))
    yield* relationFiles(ctx, snapshot, relation, ids, (id) => groupRelationFile(id, relation.name), progress);
  yield* groupWikiBundles(ctx, snapshot, ids, progress);
}
