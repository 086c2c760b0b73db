import { expressionBuilder } from 'kysely';
import type { Expression, SqlBool } from 'kysely';
import type { ContainerRef } from '../../core/operations/container.js';
import type { SignedInContext } from '../../core/context/context.js';
import { columns, nestedOrNull } from '../../core/database/columns.js';
import { constant } from '../../core/database/expressions.js';
import { StoredObject } from '../../core/stored-files/stored-object.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { ArchiveExport } from './archive-export.entity.js';

/** An export with its archive as it is stored, once that is written. */
export interface ArchiveExportRecord extends ArchiveExport {
  readonly object: {
    readonly id: number;
    readonly key: string;
    readonly bytes: number;
    readonly sha256: string;
  } | null;
}

/** An export of a project, if there is any, and whether an archive is there, be it an older one. */
export interface ProjectExportRecord {
  readonly project: ProjectRecord;
  readonly row: ArchiveExportRecord | null;
  readonly archived: boolean;
}

const e = expressionBuilder<{ e: ArchivesDatabase['archive_exports'] }, 'e'>();

/** The exports of a container that are the caller's, as a condition on `e`. */
export const isExportOfContainer = (ctx: SignedInContext, { kind, id }: ContainerRef): Expression<SqlBool> =>
  e.and([e(kind === 'project' ? 'e.project_id' : 'e.namespace_id', '=', id), e('e.user_id', '=', ctx.caller.id)]);

const newest = (ctx: SignedInContext, container: ContainerRef) =>
  ctx.em
    .getKysely<ArchivesDatabase>()
    .selectFrom('archive_exports as e')
    .leftJoin('stored_objects as o', 'o.id', 'e.object_id')
    .select(columns(ArchiveExport, 'e'))
    .select(nestedOrNull('object', StoredObject, 'o', { only: ['id', 'key', 'bytes', 'sha256'] }))
    .where(isExportOfContainer(ctx, container))
    .orderBy('e.id', 'desc')
    .limit(1);

/** The caller's newest export, if any, with its progress. */
export async function newestExport(ctx: SignedInContext, container: ContainerRef): Promise<ArchiveExportRecord | null> {
  return (await newest(ctx, container).executeTakeFirst()) ?? null;
}

/** The caller's newest archive that is there to be downloaded. */
export async function newestArchive(
  ctx: SignedInContext,
  container: ContainerRef,
): Promise<ArchiveExportRecord | null> {
  const found = await newest(ctx, container)
    .where('e.state', '=', constant('finished'))
    .where('e.expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
  return found ?? null;
}
