import { sql } from 'kysely';
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { Context, SignedInContext } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import { ObjectMissing } from '../../core/object-store/object-store.js';
import type { ByteRange } from '../../core/object-store/object-store.js';
import { containerColumns } from '../../core/operations/container.js';
import type { ContainerRef, ContainerType } from '../../core/operations/container.js';
import { object, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { countAction } from '../../core/operations/limit-actions.js';
import { can, operation } from '../../core/operations/operation.js';
import { openObject } from '../../core/stored-files/storing.js';
import { NotFound } from '../../core/values/errors.js';
import { cancelJobs } from '../../instance/pg-boss/cancel-jobs.js';
import { forContainers, groupContainer, projectContainer } from '../../tenancy/containers/container.js';
import type { Container } from '../../tenancy/containers/container.js';
import { containerPolicy } from '../../tenancy/containers/container.policy.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { exportNotification } from '../archives.pages.js';
import { isExportOfContainer, newestArchive, newestExport } from './archive-export.finder.js';
import type { ArchiveExportRecord, ProjectExportRecord } from './archive-export.finder.js';
import { runExports } from '../archives.jobs.js';
import { requireUploadUrl, sealUploadUrl, UPLOAD_METHODS } from './send-to-url.js';
import type { UploadTarget } from './send-to-url.js';

/** Options of a project's export. */
interface ExportOptions {
  /** Instead of the project's own. */
  readonly description?: string | null;
  readonly upload?: UploadTarget | null;
}

/** The columns of an upload. */
function uploadColumns(ctx: SignedInContext, { kind, id }: ContainerRef, upload: UploadTarget | null) {
  if (!upload || kind !== 'project') return { upload_url: null, upload_method: null, upload_state: null };
  const upload_url = sealUploadUrl(ctx, { project_id: id, user_id: ctx.caller.id }, upload.url);
  return { upload_url, upload_method: upload.method, upload_state: 'waiting' };
}

/**
 * Requests an export, and sends its job in the same transaction. One that waits already is updated and used.
 */
async function requestExport(
  ctx: SignedInContext,
  container: ContainerRef,
  { description = null, upload = null }: ExportOptions = {},
): Promise<void> {
  const column = container.kind === 'project' ? 'project_id' : 'namespace_id';
  const jobId = randomUUID();
  const row = await ctx.em
    .getKysely<ArchivesDatabase>()
    .insertInto('archive_exports')
    .values({
      ...containerColumns(container),
      user_id: ctx.caller.id,
      state: 'queued',
      job_id: jobId,
      attempts: 0,
      progress: sql`'[]'`,
      description,
      ...uploadColumns(ctx, container, upload),
      created_at: ctx.clock.now(),
    })
    .onConflict((conflict) =>
      conflict
        .columns([column, 'user_id'])
        .where('state', '=', constant('queued'))
        .where(column, 'is not', null)
        .doUpdateSet(({ ref }) => ({
          description: ref('excluded.description'),
          upload_url: ref('excluded.upload_url'),
          upload_method: ref('excluded.upload_method'),
          upload_state: ref('excluded.upload_state'),
        })),
    )
    .returning(['archive_exports.id', 'archive_exports.job_id', exportNotification('archive_exports')])
    .executeTakeFirst();
  if (!row) throw new Error('The export was not inserted.');
  if (row.job_id === jobId) await ctx.jobs.sendAs(runExports, [{ id: jobId, data: { export_id: row.id } }]);
}

/**
 * Drops the caller's exports of a container: what waits or runs is cancelled, and archives are removed.
 * @returns whether there was anything
 */
async function dropExports(ctx: SignedInContext, container: ContainerRef): Promise<boolean> {
  const db = ctx.em.getKysely<ArchivesDatabase>();
  const cancelled = await db
    .updateTable('archive_exports as e')
    .set({ state: 'cancelled', finished_at: ctx.clock.now() })
    .where(isExportOfContainer(ctx, container))
    .where('e.state', 'in', [constant('queued'), constant('started')])
    .returning(['e.job_id', exportNotification('e')])
    .execute();
  if (cancelled.length > 0)
    await cancelJobs(
      ctx,
      runExports.name,
      cancelled.map(({ job_id: id }) => id),
    );
  const removed = await db
    .deleteFrom('archive_exports as e')
    .where(isExportOfContainer(ctx, container))
    .where('e.state', 'in', [constant('finished'), constant('failed')])
    .returning(exportNotification('e'))
    .execute();
  return cancelled.length + removed.length > 0;
}

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
const exporting = <C extends Container>({ kind, resource }: ContainerType<C>) =>
  ({ resource, can: can(containerPolicy, `admin_${kind}`), authentication: 'signed_in_resource' }) as const;

/** @throws NotFound where the caller's archive is not written, gone or too old (group-export-import.md section 2.5) */
async function getArchive(ctx: SignedInContext, container: Container): Promise<ExportedArchive> {
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
      ctx.record({ type: 'archive_export.downloaded', container: container.summary, filename });
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
    run: getArchive,
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
    ctx.record({ type: 'archive_export.requested', container: container.summary });
    return accepted;
  },
});

/** How far the caller's newest export of a group is; null where there is none. */
export const getGroupExport = operation({
  name: 'getGroupExport',
  ...exporting(groupContainer),
  summary: 'Read the status of your export of a group',
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
    description: optional(text()).describe(
      'Description of the project in the archive. Defaults to the description of the project.',
    ),
    upload: optional(
      object({
        url: optional(text()).describe('URL to upload the archive to when the export is finished: http or https.'),
        http_method: withDefault(oneOf(UPLOAD_METHODS), 'PUT').describe('HTTP method of the upload.'),
      }),
    ).describe('Additional location to upload the archive to.'),
  },
  async run(ctx, container, { description = null, upload: requested }) {
    const upload = requested?.url ? { url: requested.url, method: requested.http_method } : null;
    if (upload) requireUploadUrl(ctx, upload.url);
    await requestExport(ctx, container, { description, upload });
    ctx.record({ type: 'archive_export.requested', container: container.summary });
    return accepted;
  },
});

/** How far the caller's newest export of a project is, and whether there is an archive. */
export const getProjectExport = operation({
  name: 'getProjectExport',
  ...exporting(projectContainer),
  summary: 'Read the status of your export of a project',
  kind: 'read',
  async run(ctx, container): Promise<ProjectExportRecord> {
    const [row, archive] = await Promise.all([newestExport(ctx, container), newestArchive(ctx, container)]);
    return { project: container.record, row, archived: archive !== null };
  },
});
