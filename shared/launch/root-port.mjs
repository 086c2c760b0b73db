import { createServer } from 'node:net';

import { readIfThere } from './files.mjs';

/**
 * Whether only root may listen on a port.
 *
 * @param {string | undefined} port as set; the service checks it
 */
export function needsRoot(port) {
  const first = Number(readIfThere('/proc/sys/net/ipv4/ip_unprivileged_port_start') ?? 1024);
  return Number(port) > 0 && Number(port) < first;
}

/**
 * Gives a child that asks for it a socket that listens already (`api/core/server/listen.ts` asks), or the code of why there is none.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {{ host: string, port: number }} where
 */
export function giveSocket(child, where) {
  const server = createServer((socket) => socket.destroy());
  server.once('error', ({ code }) => child.connected && child.send({ type: 'socket', code }));
  server.listen(where, () => {
    // It lives on in the child; here nobody would answer.
    if (child.connected) child.send({ type: 'socket' }, server, () => server.close());
    else server.close();
  });
}
