import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import test from 'ava';
import { objectKey, StoreUnavailable } from '../../../shared/core/object-store/object-store.js';
import { S3Store } from '../../../shared/core/object-store/s3-store.js';
import { isDiskFull } from '../../../shared/git/index.js';
import { S3Server } from './s3-server.js';
import { pieces, testStore } from './store-rules.js';

let server: S3Server;
test.serial.before('start a server', async () => {
  server = await S3Server.start();
});
test.after.always('stop the server', () => server.stop());

testStore(test, 's3', () => Promise.resolve(new S3Store(server.take())));

/** A store whose server answers with the given listener. */
async function storeAt(answer: RequestListener): Promise<[S3Store, Server]> {
  const http = createServer(answer);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return [new S3Store({ endpoint, region: 'us-east-1', bucket: 'any', keys: { id: 'a', secret: 'b' } }), http];
}

const put = (store: S3Store, bytes = 10) => store.put(objectKey('files'), pieces(randomBytes(bytes)));

test('s3: a store that refuses, or is not there, is unavailable at each call', async (t) => {
  const [store, http] = await storeAt((request, response) => {
    request.resume();
    response.writeHead(403).end();
  });
  const all = [
    () => put(store),
    () => put(store, 6 * 1024 * 1024),
    () => store.get(objectKey('files')),
    () => store.remove([objectKey('files')]),
    () => store.list()[Symbol.asyncIterator]().next(),
    () => store.sweepUnfinished(new Date()),
  ];
  for (const call of all) await t.throwsAsync<Error>(call, { instanceOf: StoreUnavailable });
  http.closeAllConnections();
  http.close();
  for (const call of all) await t.throwsAsync<Error>(call, { instanceOf: StoreUnavailable });
});

test('s3: a full store is told as a full disk is', async (t) => {
  const [store, http] = await storeAt((request, response) => {
    request.resume();
    response.writeHead(507).end();
  });
  t.true(isDiskFull(await put(store).catch((error: unknown) => error)));
  http.closeAllConnections();
  http.close();
});

test('s3: a part that fails ends the upload, and tells the store so', async (t) => {
  const requests: string[] = [];
  const [store, http] = await storeAt((request, response) => {
    const { method = '', url = '' } = request;
    requests.push(`${method} ${url.replace(/^[^?]*/, '').replace(/&x-id=\w+/, '')}`);
    request.resume().on('end', () => {
      if (url.includes('partNumber=2')) return response.writeHead(400).end();
      response.writeHead(200, { ETag: '"a"', 'Content-Type': 'application/xml' });
      response.end(
        '<?xml version="1.0"?><InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>',
      );
      return undefined;
    });
  });
  await t.throwsAsync(put(store, 11 * 1024 * 1024), { instanceOf: StoreUnavailable });
  t.true(
    requests.some((line) => line.startsWith('DELETE') && line.includes('uploadId=u1')),
    requests.join(', '),
  );
  http.closeAllConnections();
  http.close();
});

test('s3: who waits for a store that stalls can leave', async (t) => {
  const leaving = new AbortController();
  const [store, http] = await storeAt(() => leaving.abort(new Error('gone')));
  const waiting = store.put(objectKey('files'), pieces(randomBytes(10)), leaving.signal);
  await t.throwsAsync(waiting, { message: 'gone' });
  http.closeAllConnections();
  http.close();
});
