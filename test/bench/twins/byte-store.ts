import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { loadConfig } from '../../../shared/core/values/config.js';
import { LocalStore } from '../../../shared/core/object-store/local-store.js';
import { objectKey } from '../../../shared/core/object-store/object-store.js';
import type { ObjectStore } from '../../../shared/core/object-store/object-store.js';
import { S3Store } from '../../../shared/core/object-store/s3-store.js';

/** A bare stream to and from the store of the settings: PUT stores a body and answers its key, GET answers one. */
const { dataDir, objectStore, s3 } = loadConfig(process.env);
const store: ObjectStore = objectStore === 's3' && s3 ? new S3Store(s3) : new LocalStore(path.join(dataDir, 'objects'));

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method === 'PUT') {
    const key = objectKey('bench');
    await store.put(key, request);
    response.end(key);
    return;
  }
  const { content, bytes } = await store.get((request.url ?? '').slice(1));
  response.writeHead(200, { 'Content-Length': bytes });
  await pipeline(content, response);
}

const server = createServer((request, response) => {
  serve(request, response).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    response.destroy();
  });
});
server.listen(0, '127.0.0.1', () => {
  process.send?.({ type: 'ready', url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
});
process.on('SIGTERM', () => process.exit(0));
process.on('disconnect', () => process.exit(0));
