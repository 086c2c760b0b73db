import { randomBytes } from 'node:crypto';
import type { Goal } from '../goal.js';
import { attack } from './attack.js';
import type { Ground } from './ground.js';

const AT_ONCE = 16;
const SHORTEST = 7500;
const LONGEST = 15_000;
const CALLBACK = 'https://client.example/callback';
const ROWS = 100;

async function getRows(ground: Ground): Promise<{ rows: number; kib: number }> {
  const { rows } = await ground.site.db.query<{ rows: number; kib: number }>(
    `select count(*)::int as rows, coalesce(sum(length(payload::text)), 0)::float8 / 1024 as kib from oauth_records`,
  );
  return rows[0] as { rows: number; kib: number };
}

/** Anonymous requests for authorisation with URLs of eight to sixteen kilobytes. */
export const authorize = attack({
  name: 'attack-authorize',
  async prepare(ground) {
    const application = await ground.asAdministrator<{ application_id: string }>('POST', '/applications', {
      name: 'Attacked',
      redirect_uri: CALLBACK,
      scopes: 'api',
    });
    return { client: application.application_id };
  },
  async run(attackers, { client }) {
    await attackers.several(AT_ONCE, async () => {
      const length = SHORTEST + Math.floor(Math.random() * (LONGEST - SHORTEST));
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: client,
        redirect_uri: CALLBACK,
        scope: 'api',
        code_challenge: randomBytes(32).toString('base64url'),
        code_challenge_method: 'S256',
        state: randomBytes(length).toString('base64url').slice(0, length),
      });
      await attackers.ask({ path: `/oauth/authorize?${query.toString()}`, headers: { accept: 'text/html' } });
    });
  },
  beside(ground) {
    let before = 0;
    return {
      async quiet() {
        before = (await getRows(ground)).rows;
      },
      async goals(): Promise<Goal[]> {
        const { rows, kib } = await getRows(ground);
        const measured = `${rows - before}, with ${(kib / 1024).toFixed(1)} MiB`;
        return [{ name: 'attack-authorize rows left', target: `<= ${ROWS}`, measured, holds: rows - before <= ROWS }];
      },
    };
  },
});
