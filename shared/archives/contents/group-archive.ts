import type { Context } from '../../core/context.js';
import type { Queryable } from '../../core/database/database.js';
import { SERVICE_VERSION } from '../../core/version.js';
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
import type { PackedFile } from './pack.js';
import type { Progress } from './read-relation.js';
import { relationFiles, writtenRelations } from './read-relation.js';
import { avatarUrl } from '../../instance/avatars/avatars.js';
import { sql } from '../../core/sql.js';
import type { DefaultBranchProtection } from '../../tenancy/groups/default-branch-protection.js';
import { protectionLevel, protectionOf } from '../../tenancy/groups/default-branch-protection.js';
import { visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';
import type { GroupSettings } from '../../tenancy/groups/group-settings.entity.js';
import type { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import {
  groupAttributes,
  PROJECT_CREATION_LEVELS,
  SUBGROUP_CREATION_LEVELS,
  VISIBILITY_LEVELS,
} from '../format/group-relations.js';

/** The exported group and those below it that the exporter sees, parents before what is in them. */
async function groupIdsOf(ctx: Context, db: Queryable, rootId: number): Promise<number[]> {
  const rows = await db.query<{ id: number }>(sql`
    select n.id as "id" from namespaces n join group_settings gs on gs.namespace_id = n.id
     where n.traversal_ids @> array[${rootId}]::bigint[] and ${visibleGroupsCondition(ctx)}
     order by cardinality(n.traversal_ids), n.id`);
  return rows.map(({ id }) => id);
}

type Settings = Pick<
  GroupSettings,
  | 'membership_lock'
  | 'share_with_group_lock'
  | 'request_access_enabled'
  | 'lfs_enabled'
  | 'require_two_factor_authentication'
  | 'two_factor_grace_period'
  | 'project_creation_level'
  | 'subgroup_creation_level'
  | 'emails_enabled'
  | 'auto_devops_enabled'
  | 'mentions_disabled'
  | 'max_artifacts_size'
>;

type Row = Pick<Namespace, 'id' | 'name' | 'path' | 'description' | 'visibility' | 'parent_id' | 'avatar'> &
  Settings & { protection: DefaultBranchProtection | null };

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
  db: Queryable,
  ids: readonly number[],
): Promise<{ id: number; json: string }[]> {
  const rows = await db.query<Row>(sql`
    select n.id as "id", n.name as "name", n.path as "path", n.description as "description",
           n.visibility as "visibility", n.parent_id as "parent_id", n.avatar as "avatar",
           gs.membership_lock as "membership_lock", gs.share_with_group_lock as "share_with_group_lock",
           gs.request_access_enabled as "request_access_enabled", gs.lfs_enabled as "lfs_enabled",
           gs.require_two_factor_authentication as "require_two_factor_authentication",
           gs.two_factor_grace_period as "two_factor_grace_period",
           gs.project_creation_level as "project_creation_level",
           gs.subgroup_creation_level as "subgroup_creation_level", gs.emails_enabled as "emails_enabled",
           gs.auto_devops_enabled as "auto_devops_enabled", gs.mentions_disabled as "mentions_disabled",
           gs.max_artifacts_size as "max_artifacts_size", gs.default_branch_protection_defaults as "protection"
      from namespaces n join group_settings gs on gs.namespace_id = n.id
     where n.id = any(${ids}::bigint[]) order by array_position(${ids}::bigint[], n.id)`);
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
  db: Queryable,
  rootId: number,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  yield* versionFiles(ctx);
  const ids = await groupIdsOf(ctx, db, rootId);
  await progress.begin('groups', ids.length);
  yield textFile(ALL_GROUPS_FILE, ids.map((id) => `${id}\n`).join(''));
  for (let at = 0; at < ids.length; at += GROUPS) {
    const objects = await groupObjects(ctx, db, ids.slice(at, at + GROUPS));
    for (const { id, json } of objects) yield textFile(groupFile(id), json);
    await progress.done('groups', objects.length);
  }
  for (const relation of writtenRelations(ctx, readGroupRelations))
    yield* relationFiles(ctx, db, relation, ids, (id) => groupRelationFile(id, relation.name), progress);
  yield* groupWikiBundles(ctx, db, ids, progress);
}
