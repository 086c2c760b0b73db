import type { SignedInContext } from '../../core/context.js';
import { columns, sql } from '../../core/sql.js';
import { RelationExport } from './relation-export.entity.js';

/** A file of an export, as it is told of. */
export interface WrittenBatch {
  readonly batch_number: number;
  readonly objects_count: number;
  readonly updated_at: string;
}

/** An export with its files so far. */
export interface RelationExportRecord extends RelationExport {
  readonly batches: readonly WrittenBatch[];
}

/** A file as it is stored. */
interface RelationFile {
  readonly key: string;
  readonly bytes: number;
  readonly sha256: string;
}

/**
 * The caller's exports of relations of a group, by the names of these.
 * @param relation one alone
 */
export const relationExportsOf = (
  ctx: SignedInContext,
  groupId: number,
  relation: string | null,
): Promise<RelationExportRecord[]> =>
  ctx.query<RelationExportRecord>(sql`
    select ${columns(RelationExport, 'e')},
           coalesce((select json_agg(json_build_object('batch_number', f.batch_number, 'objects_count', f.objects_count,
                                                       'updated_at', f.created_at) order by f.batch_number)
                       from relation_export_files f where f.export_id = e.id), '[]'::json) as "batches"
      from relation_exports e
     where e.namespace_id = ${groupId} and e.user_id = ${ctx.caller.id} and e.expires_at > ${ctx.clock.now()}
       and (${relation}::text is null or e.relation = ${relation}) order by e.relation`);

/** The file of a batch, if it is written. */
export const relationFile = (ctx: SignedInContext, exportId: number, batch: number): Promise<RelationFile | null> =>
  ctx.queryOne<RelationFile>(sql`
    select o.key as "key", o.bytes as "bytes", o.sha256 as "sha256"
      from relation_export_files f join stored_objects o on o.id = f.object_id
     where f.export_id = ${exportId} and f.batch_number = ${batch}`);
