import type { Context as KoaContext } from 'koa';
import type { ArchiveFile } from '../../../shared/repositories/repository-files/repository-archive.operations.js';
import {
  downloadArchive,
  downloadArchiveAs,
} from '../../../shared/repositories/repository-files/repository-archive.operations.js';
import { get, routes } from '../../core/routes.js';

/** An archive as a file to be kept. Its length is known to nobody before its end. */
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

export default routes('/projects/:id/repository', [
  get('/archive', downloadArchive, { respond: sendArchive }),
  get('/archive.:format', downloadArchiveAs, { respond: sendArchive }),
]);
