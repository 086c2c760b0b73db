import type { Context as KoaContext } from 'koa';
import {
  exportGroup,
  exportOperations,
  exportProject,
  getGroupExport,
  getProjectExport,
  openArchiveOf,
} from '../../../shared/archives/exports/export.operations.js';
import type { ExportedArchive } from '../../../shared/archives/exports/export.operations.js';
import { groupExportShape, projectExportShape } from '../../../shared/archives/exports/export.shape.js';
import type { Context } from '../../../shared/core/context/context.js';
import { del, get, post, routes } from '../../core/routes.js';

/**
 * The part of `bytes` bytes that a `Range` header requests: null for all of them, also where it requests several parts;
 * `beyond` where there is nothing of that part.
 */
function rangeOf(header: string, bytes: number): { start: number; end: number } | 'beyond' | null {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header.trim());
  if (!match || (match[1] === '' && match[2] === '')) return null;
  const [, first = '', last = ''] = match;
  const start = first === '' ? Math.max(bytes - Number(last), 0) : Number(first);
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1);
  if (start >= bytes || (first === '' && Number(last) === 0)) return 'beyond';
  return start > end ? null : { start, end };
}

/** Sends an archive as a file to be kept, or the part that was requested, with the digest of the whole. */
async function sendArchive(koa: KoaContext, ctx: unknown, archive: ExportedArchive): Promise<void> {
  const { bytes, filename, sha256 } = archive;
  const etag = `"${sha256}"`;
  koa.attachment(filename);
  koa.type = 'application/octet-stream';
  koa.set('ETag', etag);
  koa.set('Accept-Ranges', 'bytes');
  koa.set('Digest', `sha-256=${Buffer.from(sha256, 'hex').toString('base64')}`);
  const same = koa.get('If-Range') === '' || koa.get('If-Range') === etag;
  const range = same ? rangeOf(koa.get('Range'), bytes) : null;
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

export default [
  ...routes('/groups/:id/export', [
    post('/', exportGroup, ACCEPTED),
    get('/', getGroupExport, { present: groupExportShape }),
    del('/', exportOperations.group.cancel, { status: 204 }),
    get('/download', exportOperations.group.download, { respond: sendArchive }),
  ]),
  ...routes('/projects/:id/export', [
    post('/', exportProject, ACCEPTED),
    get('/', getProjectExport, { present: projectExportShape }),
    del('/', exportOperations.project.cancel, { status: 204 }),
    get('/download', exportOperations.project.download, { respond: sendArchive }),
  ]),
];
