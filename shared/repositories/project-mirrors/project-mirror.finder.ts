import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { columns } from '../../core/database/columns.js';
import type { RepositoriesDatabase } from '../repositories.entities.js';
import { publicImportUrl } from '../../tenancy/projects/project-secrets.js';
import { ProjectMirror } from './project-mirror.entity.js';

/** By which settings a project is mirrored. */
interface Settings {
  mirror: boolean;
  url: string | null;
  mirror_trigger_builds: boolean;
  only_mirror_protected_branches: boolean;
  mirror_overwrites_diverged_branches: boolean;
}

/** A mirror with the settings that it follows by. */
export interface MirrorRecord extends ProjectMirror, Settings {}

/** The same of a project that may not be mirrored: then only the settings are there. */
export type MirrorSettings = Settings & { [Key in keyof ProjectMirror]: ProjectMirror[Key] | null };

/** How a project is mirrored, or would be. @throws NotFound where the project is gone */
export async function findMirrorSettings(ctx: Context, found: ProjectRecord): Promise<MirrorSettings> {
  const row = await ctx.em
    .getKysely<RepositoriesDatabase>()
    .selectFrom('project_settings as s')
    .leftJoin('project_mirrors as m', 'm.project_id', 's.project_id')
    .select([
      ...columns(ProjectMirror, 'm'),
      's.mirror',
      's.import_url',
      's.mirror_trigger_builds',
      's.only_mirror_protected_branches',
      's.mirror_overwrites_diverged_branches',
    ])
    .where('s.project_id', '=', found.id)
    .executeTakeFirst();
  if (!row) throw new NotFound('Project');
  return { ...row, url: publicImportUrl(ctx, found.id, row.import_url) };
}

/** @throws Invalid where the project follows nothing [unverified text] */
export async function findMirror(ctx: Context, found: ProjectRecord): Promise<MirrorRecord> {
  const mirror = await findMirrorSettings(ctx, found);
  if (mirror.id === null) throw new Invalid('The project is not mirrored');
  return mirror as MirrorRecord;
}
