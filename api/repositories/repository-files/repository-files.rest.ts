import type { Context as KoaContext } from 'koa';
import type { Readable } from 'node:stream';
import { getBlob, getRawBlob } from '../../../shared/repositories/repository-files/read-blobs.js';
import { listTree } from '../../../shared/repositories/repository-files/list-tree.js';
import { getBlame, getFile, getRawFile } from '../../../shared/repositories/repository-files/read-files.js';
import {
  blameSerializer,
  blobSerializer,
  describeFile,
  describeWholeFile,
  fileSerializer,
  treeEntrySerializer,
  writtenFile,
} from '../../../shared/repositories/repository-files/repository-file.serializer.js';
import { createFile, deleteFile, updateFile } from '../../../shared/repositories/repository-files/write-files.js';
import { sendText } from '../../core/respond.js';
import { del, get, post, put, routes } from '../../core/routes.js';
import { serviceHeaders } from '../../core/server/service-headers.js';
import type { ArchiveFile } from '../../../shared/repositories/repository-files/repository-archive.operations.js';
import {
  downloadArchive,
  downloadArchiveAs,
} from '../../../shared/repositories/repository-files/repository-archive.operations.js';

interface RawFile {
  file_path: string;
  size: number;
  open(): Promise<Buffer | Readable>;
}

/** The bytes of a file, displayed and saved under its own name; always as text in browsers. */
async function sendRaw(koa: KoaContext, _ctx: unknown, file: RawFile) {
  const content = await file.open();
  koa.attachment(file.file_path, { type: 'inline' });
  if (koa.method !== 'HEAD') sendText(koa, content);
  else {
    if (!Buffer.isBuffer(content)) content.destroy();
    sendText(koa, '');
  }
  koa.length = file.size;
}

export default routes('/projects/:id/repository', [
  get('/tree', listTree, { present: treeEntrySerializer, paginate: 'keyset' }),
  get('/files/:file_path', getFile, {
    present: fileSerializer,
    headers: (file) => serviceHeaders(describeWholeFile(file)),
  }),
  post('/files/:file_path', createFile, { present: writtenFile, status: 201 }),
  put('/files/:file_path', updateFile, { present: writtenFile }),
  del('/files/:file_path', deleteFile, { status: 204 }),
  get('/files/:file_path/raw', getRawFile, { headers: (file) => serviceHeaders(describeFile(file)), respond: sendRaw }),
  get('/blobs/:sha', getBlob, { present: blobSerializer }),
  get('/blobs/:sha/raw', getRawBlob, { respond: sendRaw }),
  get('/files/:file_path/blame', getBlame, { present: blameSerializer, paginate: 'none' }),
]);

/** An archive as a download. Its length is unknown until it is complete. */
async function sendArchive(koa: KoaContext, _ctx: unknown, archive: ArchiveFile) {
  const content = koa.method === 'HEAD' ? null : await archive.open();
  koa.status = 200;
  // Each part of the service that waits for the end of an answer listens, and the stream with four ears.
  koa.res.setMaxListeners(20);
  koa.attachment(archive.filename);
  koa.body = content ?? '';
  koa.set('Content-Type', archive.format === 'zip' ? 'application/zip' : 'application/octet-stream');
  koa.set('Content-Transfer-Encoding', 'binary');
  koa.remove('Content-Length');
}

export const repositoryArchiveRoutes = routes('/projects/:id/repository', [
  get('/archive', downloadArchive, { respond: sendArchive }),
  get('/archive.:format', downloadArchiveAs, { respond: sendArchive }),
]);
