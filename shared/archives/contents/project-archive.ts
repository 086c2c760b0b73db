import type { Context } from '../../core/context.js';
import type { Queryable } from '../../core/database/database.js';
import { sql } from '../../core/sql.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import { settingEntries } from '../../tenancy/container-settings/container-settings.js';
import { declaredSettings } from '../../tenancy/project-settings/declared-settings.js';
import { mirrorSettings } from '../../tenancy/project-settings/declared-mirroring.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { VISIBILITY_LEVELS } from '../format/group-relations.js';
import { PROJECT_BUNDLE, PROJECT_FILE, projectRelationFile } from '../format/layout.js';
import { projectAttributes } from '../format/project-relations.js';
import { bundleFile, projectContentBundles } from './content-bundles.js';
import { textFile, versionFiles } from './group-archive.js';
import type { PackedFile } from './pack.js';
import { readProjectRelations } from './project-readers.js';
import type { Progress } from './read-relation.js';
import { relationFiles, writtenRelations } from './read-relation.js';

/** What is mirrored from where stays where it is. */
const SETTINGS = settingEntries(declaredSettings)
  .map(([name]) => name)
  .filter((name) => !Object.hasOwn(mirrorSettings, name));

interface Row {
  project: Record<string, unknown>;
  settings: Record<string, unknown>;
  topics: { name: string }[];
}

/** `project.json`: the attributes of the format, and the settings by their names in the API. */
async function projectObject(db: Queryable, id: number, description: string | null): Promise<string> {
  const [row] = await db.query<Row>(sql`
    select row_to_json(p.*) as "project", row_to_json(s.*) as "settings",
           (select coalesce(json_agg(json_build_object('name', tp.name) order by tp.name), '[]'::json)
              from project_topics pt join topics tp on tp.id = pt.topic_id where pt.project_id = p.id) as "topics"
      from projects p join project_settings s on s.project_id = p.id where p.id = ${id}`);
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
  db: Queryable,
  project: ProjectRecord,
  description: string | null,
  progress: Progress,
): AsyncGenerator<PackedFile> {
  yield* versionFiles(ctx);
  yield textFile(PROJECT_FILE, await projectObject(db, project.id, description));
  for (const relation of writtenRelations(ctx, readProjectRelations))
    yield* relationFiles(ctx, db, relation, [project.id], () => projectRelationFile(relation.name), progress);
  yield* repositoryBundle(ctx, project, progress);
  yield* projectContentBundles(ctx, db, project.id, progress);
}
