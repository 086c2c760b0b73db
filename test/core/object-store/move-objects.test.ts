import { rm } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import test from 'ava';
import { moveObjects } from '../../../shared/core/stored-files/move-objects.js';
import { S3Store } from '../../../shared/core/object-store/s3-store.js';
import { storing } from '../../../shared/core/stored-files/storing.js';
import { sql } from 'kysely';
import { useApp } from '../app.js';
import { S3Server } from './s3-server.js';
import { pieces } from './store-rules.js';

const app = useApp(test);
let server: S3Server;
test.serial.before('start a server', async () => {
  server = await S3Server.start(1);
});
test.after.always('stop the server', () => server.stop());

test('everything moves from the local directory to S3 and back, and a second run copies nothing', async (t) => {
  const contents = ['first', 'second', 'x'.repeat(300_000)];
  for (const content of contents) {
    const ctx = app.context();
    const keep = (object: { keep(of: typeof ctx): Promise<number> }) => ctx.transaction(() => object.keep(ctx));
    await storing(ctx, 'moved', pieces(Buffer.from(content)), { limit: 1_000_000 }, keep);
  }
  const { objects: local, config } = app.services;
  const bucket = new S3Store(server.take());
  const lines: string[] = [];
  const run = (from: typeof local, to: typeof local) =>
    moveObjects(app.context(), from, to, (line) => lines.push(line));
  t.deepEqual(await run(local, bucket), { copied: 3, present: 0, missing: 0 });
  t.deepEqual(await run(local, bucket), { copied: 0, present: 3, missing: 0 });
  await rm(path.join(config.dataDir, 'objects'), { recursive: true });
  t.deepEqual(await run(bucket, local), { copied: 3, present: 0, missing: 0 });
  const rows = await app.context().query<{ key: string }>(sql`
    select o.key as "key" from stored_objects o order by o.id`);
  const read = await Promise.all(rows.map(async ({ key }) => buffer((await local.get(key)).content)));
  t.deepEqual(read.map(String), contents);
  const [{ key } = { key: '' }] = rows;
  await local.remove([key]);
  await bucket.remove([key]);
  t.is((await run(bucket, local)).missing, 1);
  t.deepEqual(lines, [`${key} is missing`]);
  await bucket.close();
});
