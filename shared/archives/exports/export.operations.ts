import type { Readable } from 'node:stream';
import type { ContainerType } from '../../core/operations/container.js';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { NotFound } from '../../core/values/errors.js';
import { object, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { openObject } from '../../core/stored-files/storing.js';
import { ObjectMissing } from '../../core/object-store/object-store.js';
import type { ByteRange } from '../../core/object-store/object-store.js';
import { can, operation } from '../../core/operations/operation.js';
import { countAction } from '../../core/operations/limit-actions.js';
import { containerPolicy } from '../../tenancy/containers/container.policy.js';
import { forContainers, groupContainer, projectContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { newestArchive, newestExport } from './archive-export.finder.js';
import type { ArchiveExportRecord, ProjectExportRecord } from './archive-export.finder.js';
import { dropExports, requestExport } from './request-export.js';
import { requireUploadUrl, UPLOAD_METHODS } from './send-to-url.js';

/** An archive that is there to be read, and of what. */
export interface ExportedArchive {
  readonly container: Container;
  readonly filename: string;
  readonly key: string;
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** Owners of groups, Maintainers of projects. */
const exporting = <C extends Container>({ kind, subject }: ContainerType<C>) =>
  ({ subject, can: can(containerPolicy, `admin_${kind}`), gate: 'signed_in_subject' }) as const;

/** @throws NotFound where the caller's archive is not written, gone or too old (group-export-import.md section 2.5) */
async function archiveOf(ctx: SignedInContext, container: Container): Promise<ExportedArchive> {
  const found = await newestArchive(ctx, container);
  if (!found?.object || !found.filename) throw NotFound.because('Not found or has expired');
  const { key, bytes, sha256 } = found.object;
  return { container, filename: found.filename, key, bytes, sha256 };
}

/**
 * Opens an archive, or a part of it, for a client that requests its bytes: only that counts as a download.
 * @throws NotFound where the store has lost it, RateLimited, StoreUnavailable
 */
export async function openArchiveOf(ctx: Context, archive: ExportedArchive, range?: ByteRange): Promise<Readable> {
  const { container, filename } = archive;
  const content = await openObject(ctx, archive, range).catch((error: unknown) => {
    if (error instanceof ObjectMissing)
      throw NotFound.because(`The ${container.kind} export file is not available yet`);
    throw error;
  });
  try {
    await countAction(ctx, `${container.kind}_download_export`, [container.id]);
    await ctx.transaction(() => {
      ctx.record({ type: 'archive_export.downloaded', container: container.named, filename });
      return Promise.resolve();
    });
  } catch (error) {
    content.destroy();
    throw error;
  }
  return content;
}

/** Reading an archive, and ending what writes one, are the same for both. */
export const exportOperations = forContainers((type) => ({
  download: operation({
    name: `download${type.noun}Export`,
    ...exporting(type),
    summary: `Download the archive of a ${type.kind} that you exported`,
    kind: 'read',
    statements: 8,
    run: archiveOf,
  }),
  cancel: operation({
    name: `cancel${type.noun}Export`,
    ...exporting(type),
    summary: `Cancel your export of a ${type.kind}, or remove its archive`,
    kind: 'write',
    async run(ctx, container) {
      if (!(await dropExports(ctx, container))) throw new NotFound();
    },
  }),
}));

const accepted = { message: '202 Accepted' };

/** Has a job write an archive of a group with all that is in it, also while another one does. */
export const exportGroup = operation({
  name: 'exportGroup',
  ...exporting(groupContainer),
  summary: 'Export a group',
  kind: 'write',
  limit: 'group_export',
  async run(ctx, container) {
    await requestExport(ctx, container);
    ctx.record({ type: 'archive_export.requested', container: container.named });
    return accepted;
  },
});

/** How far the caller's newest export of a group is; null where there is none. */
export const getGroupExport = operation({
  name: 'getGroupExport',
  ...exporting(groupContainer),
  summary: 'Read how far your export of a group is',
  kind: 'read',
  run: async (ctx, container): Promise<{ row: ArchiveExportRecord | null }> => ({
    row: await newestExport(ctx, container),
  }),
});

/** The same of a project, with its repository. */
export const exportProject = operation({
  name: 'exportProject',
  ...exporting(projectContainer),
  summary: 'Export a project',
  kind: 'write',
  limit: 'project_export',
  params: {
    description: optional(text()).describe('Description of the project in the archive; else its own.'),
    upload: optional(
      object({
        url: optional(text()).describe('Where the archive is sent once it is written: http or https.'),
        http_method: withDefault(oneOf(UPLOAD_METHODS), 'PUT').describe('How it is sent.'),
      }),
    ).describe('Where the archive is sent besides.'),
  },
  async run(ctx, container, { description = null, upload: requested }) {
    const upload = requested?.url ? { url: requested.url, method: requested.http_method } : null;
    if (upload) requireUploadUrl(ctx, upload.url);
    await requestExport(ctx, container, { description, upload });
    ctx.record({ type: 'archive_export.requested', container: container.named });
    return accepted;
  },
});

/** How far the caller's newest export of a project is, and whether there is an archive. */
export const getProjectExport = operation({
  name: 'getProjectExport',
  ...exporting(projectContainer),
  summary: 'Read how far your export of a project is',
  kind: 'read',
  async run(ctx, container): Promise<ProjectExportRecord> {
    const [row, archive] = await Promise.all([newestExport(ctx, container), newestArchive(ctx, container)]);
    return { project: container.record, row, archived: archive !== null };
  },
});
