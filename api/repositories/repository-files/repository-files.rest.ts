import type { Context as KoaContext } from 'koa';
import type { Readable } from 'node:stream';
import { getBlob, getRawBlob } from '../../../shared/repositories/repository-files/read-blobs.js';
import { listTree } from '../../../shared/repositories/repository-files/list-tree.js';
import { getBlame, getFile, getRawFile } from '../../../shared/repositories/repository-files/read-files.js';
import {
  blameShape,
  blobShape,
  describeFile,
  describeWholeFile,
  fileShape,
  treeEntryShape,
  writtenFile,
} from '../../../shared/repositories/repository-files/repository-file.shape.js';
import { createFile, deleteFile, updateFile } from '../../../shared/repositories/repository-files/write-files.js';
import { sendText } from '../../core/respond.js';
import { del, get, post, put, routes } from '../../core/routes.js';
import { serviceHeaders } from '../../core/server/service-headers.js';

interface RawFile {
  file_path: string;
  size: number;
  open(): Promise<Buffer | Readable>;
}

/** The bytes of a file, shown and kept under its own name; text to browsers whatever they are. */
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
  get('/tree', listTree, { present: treeEntryShape, paginate: 'keyset' }),
  get('/files/:file_path', getFile, { present: fileShape, headers: (file) => serviceHeaders(describeWholeFile(file)) }),
  post('/files/:file_path', createFile, { present: writtenFile, status: 201 }),
  put('/files/:file_path', updateFile, { present: writtenFile }),
  del('/files/:file_path', deleteFile, { status: 204 }),
  get('/files/:file_path/raw', getRawFile, { headers: (file) => serviceHeaders(describeFile(file)), respond: sendRaw }),
  get('/blobs/:sha', getBlob, { present: blobShape }),
  get('/blobs/:sha/raw', getRawBlob, { respond: sendRaw }),
  get('/files/:file_path/blame', getBlame, { present: blameShape, paginate: 'none' }),
]);
