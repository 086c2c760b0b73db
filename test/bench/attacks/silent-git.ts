import { createServer as createWebServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveGit } from '../../core/git-remote.js';
import type { Goal } from '../goal.js';
import { tell } from '../goal.js';
import { median } from '../statistics.js';
import { attack } from './attack.js';
import { ATTACKER } from './ground.js';
import type { Ground } from './ground.js';

const SILENT = 4;
/** Whose imports are measured. */
const OTHER = 1003;
const IMPORTS = 3;
const TIMES = 3;
const HEAD_START_MS = 2000;
const POLL_MS = 50;

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Seconds that an import from a good server takes, or that have gone by when it is given up. */
async function importFrom(ground: Ground, url: string, stop?: AbortSignal): Promise<number> {
  const token = await ground.tokenOf(OTHER);
  const began = performance.now();
  const name = `imported-${process.hrtime.bigint()}`;
  const { id } = await ground.call<{ id: number }>('POST', '/projects', token, { name, import_url: url });
  for (;;) {
    const { import_status: status } = await ground.call<{ import_status: string }>('GET', `/projects/${id}`, token);
    if (status === 'failed') throw new Error('A good import failed.');
    if (status === 'finished' || stop?.aborted) return (performance.now() - began) / 1000;
    await sleep(POLL_MS);
  }
}

/** Imports from servers that say nothing, beside somebody else's from one that answers. */
export const silentGit = attack({
  name: 'attack-silent-git',
  worker: true,
  async prepare(ground) {
    await ground.asAdministrator('PUT', '/application/settings', { outbound_local_requests_whitelist: ['127.0.0.1'] });
    return { token: await ground.tokenOf(ATTACKER) };
  },
  async run(attackers, { token }) {
    for (let made = 0; made < SILENT; made += 1) {
      const server = createServer((socket) => {
        socket.on('error', () => undefined).resume();
        attackers.stop.addEventListener('abort', () => socket.destroy(), { once: true });
      });
      const body = {
        name: `silent-${process.hrtime.bigint()}`,
        import_url: `git://127.0.0.1:${await listen(server)}/x.git`,
      };
      attackers.stop.addEventListener('abort', () => server.close(), { once: true });
      await attackers.ask({ method: 'POST', path: '/api/v4/projects', token, body: JSON.stringify(body) });
    }
    await attackers.several(1, () => attackers.pause(1000));
  },
  beside(ground) {
    const [quiet, attacked]: number[][] = [[], []];
    const server = createWebServer();
    let url = '';
    return {
      async quiet() {
        const { repository } = await ground.newProject(OTHER);
        server.on('request', (request, response) => serveGit(repository, request, response));
        url = `http://127.0.0.1:${await listen(server)}/good.git`;
        for (let done = 0; done < IMPORTS; done += 1) quiet?.push(await importFrom(ground, url));
      },
      async meanwhile(stop) {
        await sleep(HEAD_START_MS);
        while (!stop.aborted && (attacked?.length ?? 0) < IMPORTS) attacked?.push(await importFrom(ground, url, stop));
      },
      async close() {
        await new Promise((resolve) => server.close(resolve));
        await ground.place.db.query(`delete from instance_settings where name = 'outbound_local_requests_whitelist'`);
      },
      goals(): Goal[] {
        const [before, meanwhile] = [median(quiet ?? []), median(attacked ?? [])];
        tell(`good imports: ${before.toFixed(2)} s quiet, ${meanwhile.toFixed(2)} s attacked`);
        const times = meanwhile / before;
        const measured = `${times.toFixed(1)} x`;
        return [
          { name: 'attack-silent-git imports', wanted: `<= ${TIMES} x the quiet one`, measured, holds: times <= TIMES },
        ];
      },
    };
  },
});
