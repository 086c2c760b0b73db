import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import type { Context } from '../../core/context.js';
import { Invalid } from '../../core/errors.js';
import { columns, sql } from '../../core/sql.js';
import { shownImportUrl } from '../../tenancy/project-settings/import-url.js';
import { ProjectMirror } from './project-mirror.entity.js';

/** A mirror with the settings that it follows by. */
export interface MirrorRecord extends ProjectMirror {
  url: string | null;
  mirror_trigger_builds: boolean;
  only_mirror_protected_branches: boolean;
  mirror_overwrites_diverged_branches: boolean;
}

/** @throws Invalid where the project follows nothing [unverified text] */
export async function findMirror(ctx: Context, found: ProjectRecord): Promise<MirrorRecord> {
  const row = await ctx.queryOne<MirrorRecord & { import_url: Uint8Array | null }>(sql`
    select ${columns(ProjectMirror, 'm')}, s.import_url as "import_url",
           s.mirror_trigger_builds as "mirror_trigger_builds",
           s.only_mirror_protected_branches as "only_mirror_protected_branches",
           s.mirror_overwrites_diverged_branches as "mirror_overwrites_diverged_branches"
      from project_mirrors m join project_settings s on s.project_id = m.project_id
     where m.project_id = ${found.id}`);
  if (!row) throw new Invalid('The project is not mirrored');
  return { ...row, url: shownImportUrl(ctx, found.id, row.import_url) };
}
