import type { Readable } from 'node:stream';
import type { SignedInContext } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { boolean, optional, text, wholeNumber } from '../../core/operations/fields.js';
import { openObject } from '../../core/stored-files/storing.js';
import { ObjectMissing } from '../../core/object-store/object-store.js';
import type { ByteRange } from '../../core/object-store/object-store.js';
import { can, operation } from '../../core/operations/operation.js';
import { allOrNoneOf } from '../../core/operations/params.js';
import { containerPolicy } from '../../tenancy/containers/container.policy.js';
import { groupContainer } from '../../tenancy/containers/container.js';
import type { GroupContainer } from '../../tenancy/containers/container.js';
import { loadRelationExports, relationFile, requestRelationExports } from './relation-export-state.js';
import type { RelationExportRecord } from './relation-export-state.js';

/** Owners of groups. */
const exporting = {
  resource: groupContainer.resource,
  can: can(containerPolicy, 'admin_group'),
  authentication: 'signed_in_resource',
} as const;

const EXPORT_NOT_FOUND = 'Export not found';
const FILE_NOT_FOUND = 'Export file not found';

/** @throws NotFound where the instance exports no single relations */
function requireSetting(ctx: SignedInContext): void {
  if (!ctx.settings.bulk_import_enabled) throw new NotFound();
}

/** @throws NotFound where the caller did not export it, or too long ago */
async function getExport(ctx: SignedInContext, group: GroupContainer, relation: string): Promise<RelationExportRecord> {
  const [found] = await loadRelationExports(ctx, group.id, relation);
  if (!found) throw NotFound.saying(EXPORT_NOT_FOUND);
  return found;
}

/** Has jobs write each relation of a group by itself (group-export-import.md section 7). */
export const exportGroupRelations = operation({
  name: 'exportGroupRelations',
  ...exporting,
  summary: 'Export each relation of a group separately',
  kind: 'write',
  limit: 'group_export',
  params: { batched: optional(boolean()).describe('If `true`, exports files of 1,000 objects each.') },
  async run(ctx, container, { batched = false }) {
    requireSetting(ctx);
    await requestRelationExports(ctx, container.id, batched);
    ctx.record({ type: 'relation_export.requested', container: container.summary });
    return { message: '202 Accepted' };
  },
});

/** Read the progress of the caller's relation exports of a group: all, or the requested one. */
export const getGroupRelationExports = operation({
  name: 'getGroupRelationExports',
  ...exporting,
  summary: 'Read the status of your relation exports of a group',
  kind: 'read',
  params: {
    relation: optional(text())
      .describe('Name of the relation to return. If omitted, returns all relations.')
      .meta({ examples: ['labels'] }),
  },
  async run(ctx, container, { relation }): Promise<RelationExportRecord[] | RelationExportRecord> {
    requireSetting(ctx);
    return relation === undefined ? loadRelationExports(ctx, container.id, null) : getExport(ctx, container, relation);
  },
});

/** A file of an export of a relation, not opened yet. */
interface RelationDownload {
  readonly filename: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  open(range?: ByteRange): Promise<Readable>;
}

/** Reads a file of the caller's export of a relation. */
export const downloadGroupRelation = operation({
  name: 'downloadGroupRelation',
  ...exporting,
  summary: 'Download an exported relation of a group',
  kind: 'read',
  statements: 8,
  params: {
    relation: text()
      .describe('Name of the relation.')
      .meta({ examples: ['labels'] }),
    batched: optional(boolean()).describe('If `true`, the relation was exported in batches.'),
    batch_number: optional(wholeNumber(1)).describe('Number of the batch, starting at 1.'),
  },
  rules: [allOrNoneOf('batched', 'batch_number')],
  async run(ctx, container, { relation, batched = false, batch_number = 1 }): Promise<RelationDownload> {
    requireSetting(ctx);
    const found = await getExport(ctx, container, relation);
    if (found.batched && !batched) throw new Invalid('Export is batched');
    if (!found.batched && batched) throw new Invalid('Export is not batched');
    const file = await relationFile(ctx, found.id, batched ? batch_number : 1);
    if (!file) throw NotFound.saying(batched ? 'Batch not found' : FILE_NOT_FOUND);
    const { key, bytes, sha256 } = file;
    const open = async (range?: ByteRange) => {
      const content = await openObject(ctx, { key, bytes }, range).catch((error: unknown) => {
        if (error instanceof ObjectMissing) throw NotFound.saying(FILE_NOT_FOUND);
        throw error;
      });
      try {
        await ctx.transaction(() => {
          ctx.record({ type: 'relation_export.downloaded', container: container.summary, relation });
          return Promise.resolve();
        });
      } catch (error) {
        content.destroy();
        throw error;
      }
      return content;
    };
    return { filename: `${relation}.ndjson.gz`, bytes, sha256, open };
  },
});
