import type { Server } from 'node:http';
import type { Server as SocketServer } from 'node:net';
import type { Config } from '../../../shared/core/values/config.js';

/** Errors that the operator can fix, by the system's error code. */
export const LISTEN_PROBLEMS: Record<string, string> = {
  EADDRINUSE: 'is in use',
  EACCES: 'may not be used',
  EADDRNOTAVAIL: 'is not of this machine',
};

/** A port that only root may take is opened by the supervisor, which is root where this process is not. */
function socketOfSupervisor(): Promise<SocketServer> {
  return new Promise((resolve, reject) => {
    const hear = (message: unknown, socket: unknown) => {
      const { type, code } = message as { type?: string; code?: string };
      if (type !== 'socket') return;
      process.off('message', hear);
      if (code === undefined) resolve(socket as SocketServer);
      else reject(Object.assign(new Error(`listen ${code}`), { code }));
    };
    process.on('message', hear);
    process.send?.({ type: 'socket' });
  });
}

/** Listens where the settings say. Throws the system's error, with its `code`. */
export async function listen(server: Server, { host, port }: Pick<Config, 'host' | 'port'>): Promise<void> {
  const socket = process.env.CAPSTAN_SOCKET === 'supervisor' ? await socketOfSupervisor() : null;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    if (socket) server.listen(socket, resolve);
    else server.listen(port, host, resolve);
  });
}
