import type { Pool } from 'pg';
import { compare } from './compare.js';
import type { Bench, Effort, Goal } from './goal.js';
import { report } from './goal.js';
import { peakRate, warmUp } from './load.js';
import type { BenchSite } from './bench-site.js';
import { median, withSpread } from './statistics.js';

const USERS = 50_000;
/** Ids of these users begin here, above all that other data has. */
const BASE = 5_000_000;
const PER_PAGE = 20;
const FAR_PAGE = 2000;

let filled: Promise<void> | undefined;

async function fill(db: Pool): Promise<void> {
  await db.query(`
    insert into users (id, username, name, email, created_at, updated_at)
    select ${BASE} + i, 'person' || i, 'Person ' || i, 'person' || i || '@example.com', now(), now()
      from generate_series(1, ${USERS}) i`);
  await db.query(`insert into user_profiles (user_id) select u.id from users u where u.id > ${BASE}`);
  await db.query('vacuum analyze users, user_profiles');
}

/** Makes the users that lists are measured with, once. */
const manyUsers = (site: BenchSite): Promise<void> => (filled ??= fill(site.db));

/** A list compared with its twin. */
function listBench(name: string, path: string): Bench {
  return {
    name,
    async run(site, effort) {
      await manyUsers(site);
      return compare(site, effort, { name, path: `/api/v4${path}`, share: 0.4, token: site.data.token });
    },
  };
}

/** The rates of the first keyset page and of one far behind it, in turns. */
async function compareDepths(site: BenchSite, effort: Effort): Promise<Goal[]> {
  await manyUsers(site);
  const { rows } = await site.db.query<{ id: string }>('select id from users order by id desc offset $1 limit 1', [
    (FAR_PAGE - 1) * PER_PAGE - 1,
  ]);
  const cursor = Buffer.from(JSON.stringify({ id: Number(rows[0]?.id), _kd: 'n' })).toString('base64url');
  const api = await site.api();
  try {
    const headers = { 'private-token': site.data.token };
    const first = `${api.url}/api/v4/users?pagination=keyset&per_page=${PER_PAGE}`;
    const far = `${first}&cursor=${cursor}`;
    for (const url of [first, far]) await warmUp(url, headers);
    const ratios: number[] = [];
    for (let round = 0; round < effort.rounds; round += 1) {
      const near = await peakRate(first, headers, effort.seconds);
      const distant = await peakRate(far, headers, effort.seconds);
      report(`requests/s: page 1 ${near.toFixed(0)}, page ${FAR_PAGE} ${distant.toFixed(0)}`);
      ratios.push(distant / near);
    }
    const ratio = median(ratios);
    return [
      {
        name: 'users-keyset',
        target: `page ${FAR_PAGE} within 20 % of page 1`,
        measured: withSpread(ratios),
        holds: ratio >= 1 / 1.2 && ratio <= 1.2,
      },
    ];
  } finally {
    await api.stop();
  }
}

/** Lists of 50,000 users: all of them, a search that a thousand match, and pages by keyset. */
export const userBenches: Bench[] = [
  listBench('users-list', `/users?per_page=${PER_PAGE}`),
  listBench('users-search', `/users?search=son12&per_page=${PER_PAGE}`),
  { name: 'users-keyset', run: compareDepths },
];
