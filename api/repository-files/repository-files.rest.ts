import type { Context as KoaContext } from 'koa';
import type { Readable } from 'node:stream';
import type { Context } from '../../shared/core/context.js';
import { listTree } from '../../shared/repository-files/list-tree.js';
import { getBlame, getFile, getRawFile, isBinary } from '../../shared/repository-files/read-files.js';
import {
  blameShape,
  describeFile,
  describeWholeFile,
  fileShape,
  treeEntryShape,
  writtenFile,
} from '../../shared/repository-files/repository-file.shape.js';
import { createFile, deleteFile, updateFile } from '../../shared/repository-files/write-files.js';
import { sendText } from '../core/respond.js';
import { del, get, post, put, routes } from '../core/routes.js';

/** `file_path` to `X-Service-File-Path` (README decision 15); a header holds ASCII, so the rest is percent-encoded. */
function asHeaders(fields: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      `X-Service-${name.replace(/(?:^|_)(\w)/g, (_, letter: string) => `-${letter.toUpperCase()}`).slice(1)}`,
      value.replace(/[^\x20-\x7e]+/g, encodeURIComponent),
    ]),
  );
}

interface RawFile {
  size: number;
  open(): Promise<Buffer | Readable>;
}

/** Text or bytes, never what a browser would run. */
async function sendRaw(koa: KoaContext, _ctx: Context, file: RawFile) {
  const content = await file.open();
  const binary = isBinary(content);
  if (koa.method !== 'HEAD') sendText(koa, content);
  else {
    if (!Buffer.isBuffer(content)) content.destroy();
    sendText(koa, '');
  }
  if (binary) koa.set('Content-Type', 'application/octet-stream');
  koa.length = file.size;
}

export default routes('/projects/:id/repository', [
  get('/tree', listTree, { present: treeEntryShape, paginate: 'keyset' }),
  get('/files/:file_path', getFile, { present: fileShape, headers: (file) => asHeaders(describeWholeFile(file)) }),
  post('/files/:file_path', createFile, { present: writtenFile, status: 201 }),
  put('/files/:file_path', updateFile, { present: writtenFile }),
  del('/files/:file_path', deleteFile, { status: 204 }),
  get('/files/:file_path/raw', getRawFile, { headers: (file) => asHeaders(describeFile(file)), respond: sendRaw }),
  get('/files/:file_path/blame', getBlame, { present: blameShape, paginate: 'none' }),
]);
