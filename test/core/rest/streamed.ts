import { Readable } from 'node:stream';
import { text as textIn } from 'node:stream/consumers';
import { get, post, put, routes } from '../../../api/core/routes.js';
import { sendText } from '../../../api/core/respond.js';
import { Forbidden, NotFound } from '../../../shared/core/values/errors.js';
import { integer, list, optional, storedFile, text } from '../../../shared/core/operations/fields.js';
import { openObject } from '../../../shared/core/stored-files/storing.js';
import { instance, operation } from '../../../shared/core/operations/operation.js';
import type { Resource } from '../../../shared/core/operations/operation.js';
import { sql } from 'kysely';
import { queryOne } from '../query-one.js';

/** Operations that take a file as a stream, as core has it read. */
export const STREAM_LIMIT = 3 * 1024 * 1024;

/** A folder that every caller finds except one, and that only callers with an odd number may write to. */
const folder: Resource<number> = {
  noun: 'Folder',
  params: { id: integer() },
  find: (_ctx, { id }) => (id === 404 ? Promise.reject(new NotFound('Folder')) : Promise.resolve(id as number)),
};

const common = {
  resource: folder,
  can: { ability: 'store', rule: (_caller: unknown, id: number) => id % 2 === 1 },
  authentication: 'signed_in_resource',
  kind: 'write',
} as const;

const storeFile = operation({
  name: 'storeFile',
  ...common,
  summary: 'Store a file of a form',
  params: { name: optional(text()), tags: optional(list(text())), file: storedFile(), number: optional(integer()) },
  upload: {
    param: 'file',
    kind: 'test_files',
    limit(_ctx, _resource, { name }) {
      if (name === 'refused') throw new Forbidden('not this one');
      return STREAM_LIMIT;
    },
  },
  async run(ctx, _folder, { file, ...rest }) {
    const id = await file.object.keep(ctx);
    return {
      id,
      ...rest,
      filename: file.filename,
      type: file.mediaType,
      bytes: file.object.bytes,
      sha256: file.object.sha256,
    };
  },
});

const storeRaw = operation({
  name: 'storeRaw',
  ...common,
  summary: 'Store a body',
  params: { number: optional(integer()), file: storedFile() },
  upload: { param: 'file', kind: 'test_files', raw: true, limit: () => STREAM_LIMIT },
  async run(ctx, _folder, { file, number }) {
    const id = await file.object.keep(ctx);
    if (number === 13) throw new Forbidden('no luck');
    return { id, filename: file.filename, bytes: file.object.bytes, sha256: file.object.sha256 };
  },
});

const readStored = operation({
  name: 'readStored',
  resource: instance,
  authentication: 'open',
  kind: 'read',
  summary: 'Read a stored file',
  params: { id: integer() },
  async run(ctx, _instance, { id }) {
    const row = await queryOne<{ key: string; bytes: number }>(
      ctx,
      sql`select key as "key", bytes as "bytes" from stored_objects where id = ${id}`,
    );
    return row ? textIn(await openObject(ctx, row)) : Promise.reject(new NotFound());
  },
});

export const streamedRoutes = routes('', [
  post('/folders/:id/files', storeFile),
  put('/folders/:id/raw', storeRaw),
  get('/stored/:id', readStored, { respond: (koa, _ctx, content) => sendText(koa, Readable.from([content])) }),
]);
