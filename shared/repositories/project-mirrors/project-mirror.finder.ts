import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context } from '../../core/context.js';
import { Invalid, NotFound } from '../../core/errors.js';
import { sql, textColumns } from '../../core/sql.js';
import { shownImportUrl } from '../../tenancy/project-settings/import-url.js';
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
  const row = await ctx.queryOne<MirrorSettings & { import_url: Uint8Array | null }>(sql`
    select ${textColumns(ProjectMirror, 'm')}, s.mirror as "mirror", s.import_url as "import_url",
           s.mirror_trigger_builds as "mirror_trigger_builds",
           s.only_mirror_protected_branches as "only_mirror_protected_branches",
           s.mirror_overwrites_diverged_branches as "mirror_overwrites_diverged_branches"
      from project_settings s left join project_mirrors m on m.project_id = s.project_id
     where s.project_id = ${found.id}`);
  if (!row) throw new NotFound('Project');
  return { ...row, url: shownImportUrl(ctx, found.id, row.import_url) };
}

/** @throws Invalid where the project follows nothing [unverified text] */
export async function findMirror(ctx: Context, found: ProjectRecord): Promise<MirrorRecord> {
  const mirror = await findMirrorSettings(ctx, found);
  if (mirror.id === null) throw new Invalid('The project is not mirrored');
  return mirror as MirrorRecord;
}
