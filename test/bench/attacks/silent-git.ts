import { createServer as createWebServer } from 'node:http';
import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { serveGit } from '../../git/git-remote.js';
import type { Goal } from '../goal.js';
import { report } from '../goal.js';
import { median } from '../statistics.js';
import { attack } from './attack.js';
import { ATTACKER } from './ground.js';
import type { Ground } from './ground.js';

const SILENT = 4;
/** The user whose imports are measured. */
const OTHER = 1003;
const IMPORTS = 3;
const TIMES = 3;
const HEAD_START_MS = 5000;
const POLL_MS = 50;

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface Import {
  finished: boolean;
  /** The duration, or the time until it was abandoned. */
  seconds: number;
}

/** An import from a good server. */
async function importFrom(ground: Ground, url: string, stop?: AbortSignal): Promise<Import> {
  const token = await ground.tokenOf(OTHER);
  const began = performance.now();
  const name = `imported-${process.hrtime.bigint()}`;
  const { id } = await ground.call<{ id: number }>('POST', '/projects', token, { name, import_url: url });
  for (;;) {
    const { import_status: status } = await ground.call<{ import_status: string }>('GET', `/projects/${id}`, token);
    if (status === 'failed') throw new Error('A good import failed.');
    const finished = status === 'finished';
    if (finished || stop?.aborted) return { finished, seconds: (performance.now() - began) / 1000 };
    await sleep(POLL_MS);
  }
}

/** Waits until the silent ones are in hand, or some seconds. */
async function giveHeadStart(ground: Ground): Promise<void> {
  for (let waited = 0; waited < HEAD_START_MS; waited += POLL_MS) {
    const { rows } = await ground.site.db.query<{ started: number }>(
      `select count(*)::int as started from projects where creator_id = $1 and import_status = 'started'`,
      [ATTACKER],
    );
    if (rows[0]?.started === SILENT) return;
    await sleep(POLL_MS);
  }
}

/** Imports from servers that do not respond, next to another user's from one that does. */
export const silentGit = attack({
  name: 'attack-silent-git',
  worker: true,
  async prepare(ground) {
    await ground.asAdministrator('PUT', '/application/settings', { outbound_local_requests_whitelist: ['127.0.0.1'] });
    return { token: await ground.tokenOf(ATTACKER) };
  },
  async run(attackers, { token }) {
    for (let index = 0; index < SILENT; index += 1) {
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
    const quiet: Import[] = [];
    const attacked: Import[] = [];
    const server = createWebServer();
    let url = '';
    return {
      async quiet() {
        const { repository } = await ground.newProject(OTHER);
        server.on('request', (request, response) => serveGit(repository, request, response));
        url = `http://127.0.0.1:${await listen(server)}/good.git`;
        for (let done = 0; done < IMPORTS; done += 1) quiet.push(await importFrom(ground, url));
      },
      async meanwhile(stop) {
        await giveHeadStart(ground);
        while (!stop.aborted && attacked.length < IMPORTS) attacked.push(await importFrom(ground, url, stop));
      },
      async close() {
        await new Promise((resolve) => server.close(resolve));
        await ground.site.db.query(`delete from instance_settings where name = 'outbound_local_requests_whitelist'`);
      },
      goals(): Goal[] {
        const before = median(quiet.map(({ seconds }) => seconds));
        const longest = Math.max(...attacked.map(({ seconds }) => seconds));
        const finished = attacked.filter((each) => each.finished).length;
        report(
          `good imports: ${before.toFixed(2)} s quiet, at most ${longest.toFixed(2)} s attacked, ${finished} finished`,
        );
        const measured = `${(longest / before).toFixed(1)} x, ${finished} finished`;
        const holds = finished > 0 && longest <= TIMES * before;
        return [
          { name: 'attack-silent-git imports', target: `finished, in <= ${TIMES} x the quiet time`, measured, holds },
        ];
      },
    };
  },
});
