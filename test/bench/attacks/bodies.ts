import { once } from 'node:events';
import { attack } from './attack.js';
import type { Attackers } from './attackers.js';

const MIB = 1024 * 1024;
const UNFINISHED = 60;
const SENT_MIB = 19;
const ANNOUNCED_BYTES = 20 * MIB;
const KEYS = 1_500_000;
const AT_ONCE = 2;

/** Sends nearly everything and then nothing, until it is cut off. */
async function sendUnfinished(attackers: Attackers): Promise<void> {
  const socket = attackers.connect();
  let answered = '';
  socket.on('data', (chunk: Buffer) => (answered ||= /^HTTP\/1\.1 (\d{3})/.exec(chunk.toString())?.[1] ?? ''));
  const closed = once(socket, 'close');
  const head = 'POST /api/v4/projects HTTP/1.1\r\nHost: capstan.example\r\nContent-Type: application/json\r\n';
  socket.write(`${head}Content-Length: ${ANNOUNCED_BYTES}\r\n\r\n`);
  const piece = Buffer.alloc(MIB, ' ');
  for (let sent = 0; sent < SENT_MIB && !socket.destroyed; sent += 1)
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain'), closed]);
  await closed;
  attackers.note(answered === '' ? 'unfinished' : answered);
  await attackers.pause(100);
}

/** A body just below the limit, of nothing but short keys. */
const manyKeys = () => `{${Array.from({ length: KEYS }, (_, index) => `"key_${index.toString(36)}":1`).join(',')}}`;

/** Anonymous posts of twenty megabytes that never end, and JSON with a million and a half keys. */
export const bodies = attack({
  name: 'attack-bodies',
  prepare: () => Promise.resolve(null),
  async run(attackers) {
    const body = Buffer.from(manyKeys());
    await Promise.all([
      attackers.several(UNFINISHED, () => sendUnfinished(attackers)),
      attackers.several(AT_ONCE, () => attackers.ask({ method: 'POST', path: '/api/v4/projects', body })),
    ]);
  },
});
