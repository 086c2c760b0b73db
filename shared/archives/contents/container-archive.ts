import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Context } from '../../core/context/context.js';
import { columns } from '../../core/database/columns.js';
import type { Queryable } from '../../core/database/database.js';
import { anyOf, contains, arrayPosition } from '../../core/database/expressions.js';
import { SERVICE_VERSION } from '../../core/values/version.js';
import { avatarUrl } from '../../instance/avatars/avatars.js';
import type { Container, GroupContainer, ProjectContainer } from '../../tenancy/containers/container.js';
import { protectionLevel, getBranchProtection } from '../../tenancy/groups/default-branch-protection.js';
import type { DefaultBranchProtection } from '../../tenancy/groups/default-branch-protection.js';
import { GroupSettings } from '../../tenancy/groups/group.entity.js';
import { visibleGroupsCondition } from '../../tenancy/groups/group.finder.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import {
  groupAttributes,
  PROJECT_CREATION_LEVELS,
  SUBGROUP_CREATION_LEVELS,
  VISIBILITY_LEVELS,
} from '../format/group-relations.js';
import {
  ALL_GROUPS_FILE,
  FORMAT_VERSION,
  groupFile,
  groupRelationFile,
  PRODUCT_REVISION_FILE,
  PRODUCT_VERSION_FILE,
  PROJECT_FILE,
  projectRelationFile,
  VERSION_FILE,
} from '../format/layout.js';
import { PROJECT_SETTINGS, projectAttributes } from '../format/project-relations.js';
import { db } from './json-values.js';
import type { PackedFile } from './pack.js';
import { relationFiles, writtenRelations } from './read-relation.js';
import type { Progress } from './read-relation.js';
import { readRelations } from './relation-readers.js';
import { groupBundles, projectBundles } from './repository-bundles.js';
import { snapshotRows } from './snapshot.js';

const groups = db.selectFrom('namespaces as n').innerJoin('group_settings as gs', 'gs.namespace_id', 'n.id');

/** The exported group and its descendants that are visible to the exporter, parents first. */
async function getGroupIds(ctx: Context, snapshot: Queryable, rootId: number): Promise<number[]> {
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

/** Settings of groups that are written as they are stored. */
const GROUP_SETTINGS = [
  ...(['membership_lock', 'share_with_group_lock', 'request_access_enabled', 'lfs_enabled'] as const),
  ...(['require_two_factor_authentication', 'two_factor_grace_period', 'project_creation_level'] as const),
  ...(['subgroup_creation_level', 'emails_enabled', 'auto_devops_enabled', 'mentions_disabled'] as const),
  'max_artifacts_size' as const,
];

type GroupRow = Pick<Namespace, 'id' | 'name' | 'path' | 'description' | 'visibility' | 'parent_id' | 'avatar'> &
  Pick<GroupSettings, (typeof GROUP_SETTINGS)[number]> & { protection: DefaultBranchProtection | null };

/** `<id>.json` of a group: its attributes, in the order of the format. */
function groupObject(ctx: Context, row: GroupRow): Record<string, unknown> {
  const { visibility, avatar, emails_enabled: emails, protection, ...stored } = row;
  const values: Record<string, unknown> = {
    ...stored,
    avatar: { url: avatarUrl(ctx, { kind: 'group', id: row.id }, avatar) },
    visibility_level: VISIBILITY_LEVELS[visibility as keyof typeof VISIBILITY_LEVELS],
    project_creation_level: PROJECT_CREATION_LEVELS.indexOf(row.project_creation_level as 'noone'),
    subgroup_creation_level: SUBGROUP_CREATION_LEVELS.indexOf(row.subgroup_creation_level as 'owner'),
    emails_disabled: !emails,
    emails_enabled: emails,
    default_branch_protection: protectionLevel(getBranchProtection(protection)),
  };
  return Object.fromEntries(Object.keys(groupAttributes).map((name) => [name, values[name] ?? null]));
}

/** The attributes of some groups, as `<id>.json` holds them, in the order of their ids in `ids`. */
export async function groupObjects(
  ctx: Context,
  snapshot: Queryable,
  ids: readonly number[],
): Promise<{ id: number; json: string }[]> {
  const rows: GroupRow[] = await snapshotRows(
    snapshot,
    groups
      .select(columns(Namespace, 'n', ['id', 'name', 'path', 'description', 'visibility', 'parent_id', 'avatar']))
      .select(columns(GroupSettings, 'gs', GROUP_SETTINGS))
      .select('gs.default_branch_protection_defaults as protection')
      .where('n.id', '=', anyOf(ids, 'bigint'))
      .orderBy((eb) => arrayPosition(ids, 'bigint', eb.ref('n.id'))),
  );
  return rows.map((row) => ({ id: row.id, json: JSON.stringify(groupObject(ctx, row)) }));
}

/** Number of groups whose attributes are read together. */
const GROUPS = 200;

/** `project.json`: the attributes of the format, and the settings by their names in the API. */
async function projectObject(snapshot: Queryable, id: number, description: string | null): Promise<string> {
  const topicNames = db
    .selectFrom('project_topics as pt')
    .innerJoin('topics as tp', 'tp.id', 'pt.topic_id')
    .select('tp.name')
    .where('pt.project_id', '=', id)
    .orderBy('tp.name');
  const [row] = await snapshotRows(
    snapshot,
    db
      .selectFrom('projects as p')
      .innerJoin('project_settings as s', 's.project_id', 'p.id')
      .select(({ fn }) => [
        fn.toJson('p').$castTo<Record<string, unknown>>().as('project'),
        fn.toJson('s').$castTo<Record<string, unknown>>().as('settings'),
        jsonArrayFrom(topicNames).as('topics'),
      ])
      .where('p.id', '=', id),
  );
  if (!row) throw new Error('The project is gone.');
  const { project, settings, topics } = row;
  const values: Record<string, unknown> = {
    ...project,
    description: description ?? project.description,
    visibility_level: VISIBILITY_LEVELS[project.visibility as keyof typeof VISIBILITY_LEVELS],
    topics,
    settings: Object.fromEntries(PROJECT_SETTINGS.map((name) => [name, project[name] ?? settings[name] ?? null])),
  };
  return JSON.stringify(Object.fromEntries(Object.keys(projectAttributes).map((name) => [name, values[name] ?? null])));
}

function textFile(name: string, text: string): PackedFile {
  const content = Buffer.from(text);
  return { name, bytes: content.length, content };
}

/** What every archive begins with. */
const versionFiles = (ctx: Context): PackedFile[] => [
  textFile(VERSION_FILE, FORMAT_VERSION),
  textFile(PRODUCT_VERSION_FILE, SERVICE_VERSION),
  textFile(PRODUCT_REVISION_FILE, ctx.config.revision),
];

/** The files of all relations of groups, or of a project. @param getFile the name of a relation's file */
async function* allRelationFiles(
  ctx: Context,
  snapshot: Queryable,
  kind: Container['kind'],
  ids: readonly number[],
  fileOf: (relation: string, id: number) => string,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  for (const relation of writtenRelations(ctx, readRelations[kind]))
    yield* relationFiles(ctx, snapshot, relation, ids, (id) => fileOf(relation.name, id), progress);
}

/** The files of a group (group-export-import.md section 3): always in the same order for the same group. */
async function* groupFiles(
  ctx: Context,
  snapshot: Queryable,
  { id: rootId }: GroupContainer,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  const ids = await getGroupIds(ctx, snapshot, rootId);
  await progress.begin('groups', ids.length);
  yield textFile(ALL_GROUPS_FILE, ids.map((id) => `${id}\n`).join(''));
  for (let at = 0; at < ids.length; at += GROUPS) {
    const objects = await groupObjects(ctx, snapshot, ids.slice(at, at + GROUPS));
    for (const { id, json } of objects) yield textFile(groupFile(id), json);
    await progress.done('groups', objects.length);
  }
  const getFile = (relation: string, id: number) => groupRelationFile(id, relation);
  yield* allRelationFiles(ctx, snapshot, 'group', ids, getFile, progress);
  yield* groupBundles(ctx, snapshot, ids, progress);
}

/** The files of a project (group-export-import.md section 7). @param description instead of its own */
async function* projectFiles(
  ctx: Context,
  snapshot: Queryable,
  { id, record }: ProjectContainer,
  description: string | null,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  yield textFile(PROJECT_FILE, await projectObject(snapshot, id, description));
  yield* allRelationFiles(ctx, snapshot, 'project', [id], projectRelationFile, progress);
  yield* projectBundles(ctx, snapshot, record, progress);
}

/**
 * The files of the archive of a group or project, as the context's user sees it in a snapshot.
 * @param description of a project, instead of its own
 */
export async function* containerArchive(
  ctx: Context,
  snapshot: Queryable,
  container: Container,
  description: string | null,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  yield* versionFiles(ctx);
  if (container.kind === 'group') yield* groupFiles(ctx, snapshot, container, progress);
  else yield* projectFiles(ctx, snapshot, container, description, progress);
}
