import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Context } from '../../core/context/context.js';
import type { Queryable } from '../../core/database/database.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import { settingEntries } from '../../tenancy/namespaces/container-settings.js';
import { declaredSettings } from '../../tenancy/projects/declared-settings.js';
import { mirrorSettings } from '../../tenancy/projects/declared-mirroring.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { VISIBILITY_LEVELS } from '../format/group-relations.js';
import { PROJECT_BUNDLE, PROJECT_FILE, projectRelationFile } from '../format/layout.js';
import { projectAttributes } from '../format/project-relations.js';
import { bundleFile, projectContentBundles } from './content-bundles.js';
import { textFile, versionFiles } from './group-archive.js';
import { db } from './json-values.js';
import type { PackedFile } from './pack.js';
import { snapshotRows } from './snapshot.js';
import { readProjectRelations } from './project-readers.js';
import type { Progress } from './read-relation.js';
import { relationFiles, writtenRelations } from './read-relation.js';

/** What is mirrored from where stays where it is. */
const SETTINGS = settingEntries(declaredSettings)
  .map(([name]) => name)
  .filter((name) => !Object.hasOwn(mirrorSettings, name));

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
    settings: Object.fromEntries(SETTINGS.map((name) => [name, project[name] ?? settings[name] ?? null])),
  };
  return JSON.stringify(Object.fromEntries(Object.keys(projectAttributes).map((name) => [name, values[name] ?? null])));
}

/** The repository as a bundle. */
async function* repositoryBundle(ctx: Context, project: ProjectRecord, progress: Progress): AsyncGenerator<PackedFile> {
  if (!project.repository_created) return;
  await progress.begin('repository', 1);
  yield* bundleFile(openRepository(ctx, project), PROJECT_BUNDLE);
  await progress.done('repository', 1);
}

/**
 * The files of a project's archive (group-export-import.md section 7), as the context's user sees it in a snapshot.
 * @param description in place of its own
 */
export async function* projectArchive(
  ctx: Context,
  snapshot: Queryable,
  project: ProjectRecord,
  description: string | null,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  yield* versionFiles(ctx);
  yield textFile(PROJECT_FILE, await projectObject(snapshot, project.id, description));
  for (const relation of writtenRelations(ctx, readProjectRelations))
    yield* relationFiles(ctx, snapshot, relation, [project.id], () => projectRelationFile(relation.name), progress);
  yield* repositoryBundle(ctx, project, progress);
  yield* projectContentBundles(ctx, snapshot, project.id, progress);
}
