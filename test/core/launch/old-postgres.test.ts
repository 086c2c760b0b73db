import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import test from 'ava';
import { BadSettings } from '../../../shared/core/values/config.js';
import { migrate } from '../../../shared/instance/process/migrate.js';
import { domains } from '../../../shared/domains.js';

/** One message of PostgreSQL's protocol: its letter, its length, its content. */
function message(letter: string, content: Buffer = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(content.length + 4);
  return Buffer.concat([Buffer.from(letter), length, content]);
}

const int16 = (value: number) => Buffer.from([value >> 8, value & 255]);
const int32 = (value: number) => Buffer.from([value >> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]);
const READY = message('Z', Buffer.from('I'));

/** Answers every query with one row that holds `text`. */
function answerWith(text: string): Buffer {
  const column = Buffer.concat([
    Buffer.from('version\0'),
    int32(0),
    int16(0),
    int32(25),
    int16(-1 & 0xffff),
    int32(-1),
    int16(0),
  ]);
  return Buffer.concat([
    message('T', Buffer.concat([int16(1), column])),
    message('D', Buffer.concat([int16(1), int32(text.length), Buffer.from(text)])),
    message('C', Buffer.from('SELECT 1\0')),
    READY,
  ]);
}

function speak(socket: Socket, version: string) {
  let greeted = false;
  socket.on('error', () => undefined);
  socket.on('data', (data) => {
    if (!greeted) {
      greeted = true;
      socket.write(Buffer.concat([message('R', int32(0)), READY]));
    } else if (data[0] === 'Q'.charCodeAt(0)) socket.write(answerWith(version));
  });
}

test('a PostgreSQL older than 15 is refused by its version', async (t) => {
  const server = createServer((socket) => speak(socket, '14.11 (Debian 14.11-1)'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const { port } = server.address() as AddressInfo;
  const error = await t.throwsAsync(() => migrate(domains, `postgres://u:p@127.0.0.1:${port}/d`), {
    instanceOf: BadSettings,
  });
  t.is(
    error?.message,
    'DATABASE_URL must point at PostgreSQL 15 or newer; the server is PostgreSQL 14.11 (Debian 14.11-1).',
  );
});
