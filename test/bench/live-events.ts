import { get } from 'node:http';
import type { ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getPercent } from './child.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import type { BenchSite } from './bench-site.js';

const LISTENERS = 100;
/** One caller may have ten. */
const CALLERS = 10;
const SETTLE_MS = 3_000;
const WATCHED_MS = 20_000;
const PERCENT = 2;
const CHANGE_MS = 500;
const QUEUE = 'projects.measure';

/** Tokens of administrators of the bench's own. */
async function getTokens(site: BenchSite): Promise<string[]> {
  const tokens = Array.from({ length: CALLERS }, (_none, index) => `a-token-of-listener-${index}-for-benchmarks`);
  await site.db.query(
    `with listeners as (
       select id, row_number() over (order by id) as n from users where state = 'active' and id > 1001 order by id limit $1::int),
     admins as (update users u set admin = true from listeners l where u.id = l.id)
     insert into personal_access_tokens (user_id, name, digest, scopes, created_at, updated_at)
     select l.id, 'listener', ($2::bytea[])[l.n], '{api}', now(), now() from listeners l`,
    [CALLERS, tokens.map((token) => site.keys.digest(token))],
  );
  return tokens;
}

interface Listener {
  request: ClientRequest;
  events: number;
}

/** Begins to listen; resolves with the first event. */
function listen(url: string, token: string): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const headers = { 'PRIVATE-TOKEN': token, accept: 'text/event-stream' };
    const listener: Listener = { request: undefined as never, events: 0 };
    listener.request = get(`${url}/api/v4/admin/jobs/events`, { headers, agent: false }, (response) => {
      if (response.statusCode !== 200) return reject(new Error(`A listener was answered ${response.statusCode}.`));
      response.on('error', () => undefined);
      response.on('data', (data: Buffer) => {
        if (!data.includes('event: queues')) return;
        listener.events += 1;
        resolve(listener);
      });
    });
    listener.request.on('error', reject);
  });
}

/** A hundred listeners to the state of the queues, while one queue changes at each poll. */
export const liveEvents: Bench = {
  name: 'live-events',
  async run(site): Promise<Goal[]> {
    const tokens = await getTokens(site);
    const api = await site.api();
    const change = setInterval(() => {
      void site.db
        .query(`insert into pgboss.job (name, policy) values ($1, 'standard')`, [QUEUE])
        .catch(() => undefined);
    }, CHANGE_MS);
    let listeners: Listener[] = [];
    try {
      await sleep(SETTLE_MS);
      const alone = await getPercent(api, WATCHED_MS);
      listeners = await Promise.all(
        Array.from({ length: LISTENERS }, (_none, index) => listen(api.url, tokens[index % CALLERS] as string)),
      );
      await sleep(SETTLE_MS);
      const counted = listeners.map(({ events }) => events);
      const together = await getPercent(api, WATCHED_MS);
      const heard = listeners.map(({ events }, index) => events - (counted[index] as number));
      report(`${alone.toFixed(2)} % alone, ${together.toFixed(2)} % with ${LISTENERS} listeners`);
      report(`each heard ${Math.min(...heard)} to ${Math.max(...heard)} events in ${WATCHED_MS / 1000} s`);
      const percent = together - alone;
      return [
        {
          name: 'live-events',
          target: `<= ${PERCENT} % CPU for ${LISTENERS} listeners`,
          measured: `${percent.toFixed(2)} %`,
          holds: percent <= PERCENT && Math.min(...heard) > 0,
        },
      ];
    } finally {
      clearInterval(change);
      for (const { request } of listeners) request.destroy();
      await api.stop();
      await site.db.query(`delete from pgboss.job where name = $1`, [QUEUE]);
    }
  },
};
