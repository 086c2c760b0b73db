import type { Context as KoaContext } from 'koa';
import {
  exportGroup,
  exportOperations,
  exportProject,
  getGroupExport,
  getProjectExport,
  openArchiveOf,
} from '../../shared/archives/exports/export.operations.js';
import type { ExportedArchive } from '../../shared/archives/exports/export.operations.js';
import {
  groupExportSerializer,
  projectExportSerializer,
  relationExportSerializer,
} from '../../shared/archives/exports/export.serializer.js';
import type { Context, SignedInContext } from '../../shared/core/context/context.js';
import { del, get, post, routes, aliases } from '../core/routes.js';
import {
  downloadGroupRelation,
  exportGroupRelations,
  getGroupRelationExports,
} from '../../shared/archives/exports/relation-export.operations.js';
import { sendFile } from '../core/send-file.js';
import {
  cancelGroupImport,
  getGroupImport,
  cancelProjectImport,
  getProjectImport,
} from '../../shared/archives/container-imports/import.operations.js';
import {
  groupImportSerializer,
  projectImportPlanSerializer,
  projectImportSerializer,
} from '../../shared/archives/container-imports/import.serializer.js';
import type {
  GroupImportPlan,
  ProjectImportPlan,
} from '../../shared/archives/container-imports/plan-container-import.js';
import { startGroupImport, isPlan, startProjectImport } from '../../shared/archives/container-imports/start-import.js';
import {
  awaitImportPlan,
  getImportPlan,
  importPlanSerializer,
  planLocation,
} from '../../shared/archives/import-plans/import-plan.operations.js';
import { isImportPlan } from '../../shared/archives/import-plans/import-plan.entity.js';
import type { ImportPlanRecord } from '../../shared/archives/import-plans/import-plan.entity.js';
import type { Caller } from '../../shared/core/context/callers.js';
import { presentOne } from '../../shared/core/operations/serializer.js';
import { sendJson } from '../core/respond.js';
import type { ImportedProject } from '../../shared/archives/container-imports/start-import.js';
import type { Serializer } from '../../shared/core/operations/serializer.js';

/**
 * The byte range that a `Range` header requests from `bytes` bytes: null for the whole file, also if the header
 * requests several ranges; `beyond` if the range cannot be satisfied.
 */
function getRange(header: string, bytes: number): { start: number; end: number } | 'beyond' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, first = '', last = ''] = match;
  const start = first === '' ? Math.max(bytes - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (start >= bytes || (first === '' && Number(last) === 0)) return 'beyond';
  return start > end ? null : { start, end };
}

/** Sends an archive, or the requested range of it, as a download with the digest of the whole archive. */
async function sendArchive(koa: KoaContext, ctx: unknown, archive: ExportedArchive): Promise<void> {
  const { bytes, filename, sha256 } = archive;
  const etag = `"${sha256}"`;
  koa.attachment(filename);
  koa.type = 'application/octet-stream';
  koa.set('ETag', etag);
  koa.set('Accept-Ranges', 'bytes');
  koa.set('Digest', `sha-256=${Buffer.from(sha256, 'hex').toString('base64')}`);
  const isUnchanged = koa.get('If-Range') === '' || koa.get('If-Range') === etag;
  const range = isUnchanged ? getRange(koa.get('Range'), bytes) : null;
  if (range === 'beyond') {
    koa.status = 416;
    koa.set('Content-Range', `bytes */${bytes}`);
    koa.body = '';
    return;
  }
  const length = range ? range.end - range.start + 1 : bytes;
  const content = koa.method === 'HEAD' ? '' : await openArchiveOf(ctx as Context, archive, range ?? undefined);
  koa.status = range ? 206 : 200;
  koa.body = content;
  koa.type = 'application/octet-stream';
  koa.length = length;
  if (range) koa.set('Content-Range', `bytes ${range.start}-${range.end}/${bytes}`);
}

const ACCEPTED = {
  status: 202,
  schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
};

export const exportRoutes = [
  ...routes('/groups/:id/export', [
    post('/', exportGroup, ACCEPTED),
    get('/', getGroupExport, { present: groupExportSerializer }),
    del('/', exportOperations.group.cancel, { status: 204 }),
    get('/download', exportOperations.group.download, { respond: sendArchive }),
  ]),
  ...routes('/projects/:id/export', [
    post('/', exportProject, ACCEPTED),
    get('/', getProjectExport, { present: projectExportSerializer }),
    del('/', exportOperations.project.cancel, { status: 204 }),
    get('/download', exportOperations.project.download, { respond: sendArchive }),
  ]),
];

const RELATIONS_PATH = '/groups/:id/export_relations';
const STATUS_OPTIONS = { present: relationExportSerializer, paginate: 'none' } as never;

export const relationExportRoutes = [
  ...routes(RELATIONS_PATH, [
    post('/', exportGroupRelations, {
      status: 202,
      schema: { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] },
    }),
    get('/status', getGroupRelationExports, STATUS_OPTIONS),
    get('/download', downloadGroupRelation, { respond: sendFile }),
  ]),
  // @gitbeaker/rest requests the status at this path.
  ...aliases(routes(RELATIONS_PATH, [get('/', getGroupRelationExports, STATUS_OPTIONS)])),
];

const PLAN_SCHEMA = { type: 'object', additionalProperties: true };

async function respondToGroupImport(
  koa: KoaContext,
  ctx: Context<Caller>,
  result: GroupImportPlan | ImportPlanRecord | null,
): Promise<void> {
  if (result === null) return sendJson(koa, 202, { message: '202 Accepted' });
  if (!isImportPlan(result)) return sendJson(koa, 200, result);
  sendJson(koa, 202, await presentOne(ctx as SignedInContext, importPlanSerializer, result));
}

export const groupImportRoutes = routes('/groups', [
  post('/import', startGroupImport, {
    schema: PLAN_SCHEMA,
    status: 202,
    settle: async ({ changes }, ctx, result) =>
      isImportPlan(result) ? awaitImportPlan<GroupImportPlan>(ctx as SignedInContext, result, changes) : result,
    headers: planLocation,
    respond: respondToGroupImport,
  }),
  get('/:id/import', getGroupImport, { present: groupImportSerializer }),
  del('/:id/import', cancelGroupImport, { present: groupImportSerializer, status: 200 }),
]);

/** Serializers of the possible results: an import that started, a finished plan, or a plan that is still pending. */
const [startedImport, finishedPlan, pendingPlan] = [
  projectImportSerializer,
  projectImportPlanSerializer,
  importPlanSerializer,
] as unknown as [Serializer<ImportedProject>, Serializer<ImportedProject>, Serializer<ImportedProject>];

export const projectImportRoutes = routes('/projects', [
  post('/import', startProjectImport, {
    settle: async ({ changes }, ctx, result) =>
      isImportPlan(result) ? awaitImportPlan<ProjectImportPlan>(ctx as SignedInContext, result, changes) : result,
    headers: planLocation,
    present: (_ctx, result) => {
      if (result && isImportPlan(result)) return pendingPlan;
      return result && isPlan(result) ? finishedPlan : startedImport;
    },
    serializers: [startedImport, finishedPlan, pendingPlan],
    status: (result) => {
      if (isImportPlan(result)) return 202;
      return isPlan(result) ? 200 : 201;
    },
  }),
]);

export const projectImportStatusRoutes = routes('/projects', [
  get('/:id/import', getProjectImport, { present: projectImportSerializer }),
  del('/:id/import', cancelProjectImport, { present: projectImportSerializer, status: 200 }),
]);

export const importPlanRoutes = routes('/import_plans', [
  get('/:plan_id', getImportPlan, { present: importPlanSerializer }),
]);
