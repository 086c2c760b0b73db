import { containerColumn } from '../../core/container.js';
import type { ContainerRef } from '../../core/container.js';
import type { SignedInContext } from '../../core/context.js';
import { sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
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

/** The exports of a container that are the caller's, as a condition on `e`. */
export const exportsOf = (ctx: SignedInContext, { kind, id }: ContainerRef): Fragment =>
  sql`e.${containerColumn(kind)} = ${id} and e.user_id = ${ctx.caller.id}`;

const newest = (ctx: SignedInContext, container: ContainerRef, where: Fragment): Promise<ArchiveExportRecord | null> =>
  ctx.queryOne<ArchiveExportRecord>(sql`
    select ${textColumns(ArchiveExport, 'e')}, o.id as "object.id", o.key as "object.key", o.bytes as "object.bytes",
           o.sha256 as "object.sha256"
      from archive_exports e left join stored_objects o on o.id = e.object_id
     where ${exportsOf(ctx, container)} and ${where} order by e.id desc limit 1`);

/** What the caller asked for last, if anything: it tells how far it is. */
export const newestExport = (ctx: SignedInContext, container: ContainerRef): Promise<ArchiveExportRecord | null> =>
  newest(ctx, container, sql`true`);

/** The caller's newest archive that is there to be downloaded. */
export const newestArchive = (ctx: SignedInContext, container: ContainerRef): Promise<ArchiveExportRecord | null> =>
  newest(ctx, container, sql`e.state = 'finished' and e.expires_at > ${ctx.clock.now()}`);
