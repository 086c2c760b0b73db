import { get } from 'node:http';
import type { ClientRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { SESSION_COOKIE } from '../../api/core/credentials/session-cookie.js';
import { PAGE_CHANGES_CHANNEL, pageChangePayload } from '../../shared/core/page-changes/page-changes.js';
import { getPercent } from './child.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import type { BenchSite } from './bench-site.js';
import { addSessions } from './sessions.js';
import { quantile } from './statistics.js';

const PAGES = 500;
/** One caller may have thirty. */
const CALLERS = 20;
const SETTLE_MS = 5_000;
const ALONE_MS = 40_000;
/** Two heartbeats of each page, and more; `CAPSTAN_BENCH_MINUTES` makes it longer. */
const WATCHED_MS = Number(process.env.CAPSTAN_BENCH_MINUTES ?? 0) * 60_000 || ALONE_MS;
/** As in browsers: a closed stream is reopened, by each client at a different time. */
const AGAIN_MS = 1_000;
const PERCENT = 5;
const HEARD_MS = 3_000;

interface Person {
  cookie: string;
  project_id: number;
  path: string;
}

/** Sessions of members of projects. */
async function getPeople(site: BenchSite): Promise<Person[]> {
  const { rows } = await site.db.query<{ user_id: number; project_id: number; path: string }>(
    `select m.user_id::float8 as user_id, m.project_id::float8 as project_id, r.path
       from (select m.user_id, min(m.project_id) as project_id
               from project_members m join users u on u.id = m.user_id join projects p on p.id = m.project_id
              where m.access_level >= 30 and m.expires_on is null and u.state = 'active'
                and p.builds_access_level <> 'disabled'
              group by m.user_id order by m.user_id limit $1::int) m
       join routes r on r.project_id = m.project_id`,
    [CALLERS],
  );
  const cookies = await addSessions(
    site,
    rows.map((row) => row.user_id),
  );
  return rows.map(({ project_id, path }, index) => ({
    cookie: `${SESSION_COOKIE}=${cookies[index]}`,
    project_id,
    path,
  }));
}

interface OpenPage {
  request: ClientRequest;
  events: number;
  /** The time of its change notification, by this process's clock. */
  heardAt: number | null;
  /** How often it was opened again. */
  again: number;
}

/** Opens the stream of a page, and again when it ends; resolves with the first event. */
function open(url: string, cookie: string, query: string): Promise<OpenPage> {
  return new Promise((resolve, reject) => {
    const page: OpenPage = { request: undefined as never, events: 0, heardAt: null, again: 0 };
    const headers = { cookie, accept: 'text/event-stream' };
    const connect = () => {
      page.request = get(`${url}/-/events?${query}`, { headers, agent: false }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`A page was answered ${response.statusCode}.`));
        response.on('error', () => undefined);
        response.on('data', (data: Buffer) => {
          if (!data.includes('data: ')) return;
          page.events += 1;
          if (data.includes('pipeline_schedules')) page.heardAt ??= performance.now();
          resolve(page);
        });
        response.on('end', () => {
          page.again += 1;
          void sleep(Math.random() * AGAIN_MS).then(connect);
        });
      });
      page.request.on('error', reject);
    };
    connect();
  });
}

/** Changes every project that pages display: the time until each page is notified, in milliseconds. */
async function heardAfter(site: BenchSite, people: readonly Person[], pages: readonly OpenPage[]): Promise<number[]> {
  for (const page of pages) page.heardAt = null;
  const payload = pageChangePayload(
    'pipeline_schedules',
    people.map((one) => one.project_id),
  );
  const began = performance.now();
  await site.db.query('select pg_notify($1, $2)', [PAGE_CHANGES_CHANNEL, payload]);
  for (let waited = 0; waited < 10_000 && pages.some(({ heardAt }) => heardAt === null); waited += 50) await sleep(50);
  return pages.map(({ heardAt }) => (heardAt ?? Number.POSITIVE_INFINITY) - began);
}

/** Pages that follow what they show, half of them a project, half of them all projects of their person. */
export const livePages: Bench = {
  name: 'live-pages',
  async run(site): Promise<Goal[]> {
    const people = await getPeople(site);
    const api = await site.api();
    const pages: OpenPage[] = [];
    try {
      await sleep(SETTLE_MS);
      const alone = await getPercent(api, ALONE_MS);
      for (let index = 0; index < PAGES; index += 1) {
        const { cookie, path } = people[index % people.length] as Person;
        const query = new URLSearchParams(index % 2 === 0 ? { project: path } : { membership: 'true' });
        pages.push(await open(api.url, cookie, query.toString()));
      }
      await sleep(SETTLE_MS);
      const counted = pages.map(({ events }) => events);
      const together = await getPercent(api, WATCHED_MS);
      const beats = pages.map(({ events }, index) => events - (counted[index] as number));
      report(`${alone.toFixed(2)} % alone, ${together.toFixed(2)} % with ${PAGES} pages while nothing changes`);
      report(`each heard ${Math.min(...beats)} to ${Math.max(...beats)} heartbeats in ${WATCHED_MS / 1000} s`);
      const took = await heardAfter(site, people, pages);
      const [p50, last] = [quantile(took, 0.5), Math.max(...took)];
      const again = pages.reduce((sum, page) => sum + page.again, 0);
      if (again > 0) report(`opened again ${again} times: a stream ends after five minutes at the latest`);
      const percent = together - alone;
      return [
        {
          name: 'live-pages',
          target: `<= ${PERCENT} % CPU for ${PAGES} pages`,
          measured: `${percent.toFixed(2)} %`,
          holds: percent <= PERCENT && Math.min(...beats) > 0,
        },
        {
          name: 'live-pages told',
          target: `all ${PAGES} pages within ${HEARD_MS} ms`,
          measured: `p50 ${p50.toFixed(0)} ms, last ${last.toFixed(0)} ms`,
          holds: last <= HEARD_MS,
        },
      ];
    } finally {
      for (const { request } of pages) request.destroy();
      await api.stop();
    }
  },
};
