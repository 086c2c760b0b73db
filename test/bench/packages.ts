import { Child } from './child.js';
import { compare } from './compare.js';
import type { Bench, Goal } from './goal.js';
import { latencies, warmUp } from './load.js';
import { CALLERS } from './seed/callers.js';
import { PACKAGE_PROJECT } from './seed/packages.js';
import { quantile } from './statistics.js';

const WARM_UP = 1000;
const TOKEN_P99_MS = 20;
/** Tokens requested per second, as by a few concurrent builds. */
const TOKENS_PER_SECOND = 50;

const list: Bench = {
  name: 'package-list',
  group: 'packages',
  run: async (site, effort) =>
    compare(await site.large(), effort, {
      name: 'package-list',
      path: `/api/v4/projects/${PACKAGE_PROJECT}/packages`,
      share: 0.4,
      token: CALLERS.reporter.token,
      warmUp: WARM_UP,
    }),
};

/** A token for pulling an image, as requested by a client of the registry. */
const token: Bench = {
  name: 'registry-token',
  group: 'packages',
  async run(site, { rounds, seconds }): Promise<Goal[]> {
    const env = { ...site.env, REGISTRY_URL: 'https://registry.example', REGISTRY_API_URL: 'http://127.0.0.1:9' };
    const api = await Child.start('api/main.js', env, site.directory);
    try {
      const { rows } = await site.db.query<{ path: string }>('select path from routes where project_id = $1', [
        site.data.projectId,
      ]);
      const scope = encodeURIComponent(`repository:${rows[0]?.path}:pull,push`);
      const url = `${api.url}/jwt/auth?service=container_registry&scope=${scope}`;
      const { rows: people } = await site.db.query<{ username: string }>('select username from users where id = $1', [
        site.data.userId,
      ]);
      const basic = Buffer.from(`${people[0]?.username}:${site.data.token}`).toString('base64');
      const headers = { authorization: `Basic ${basic}` };
      await warmUp(url, headers, WARM_UP);
      const times = await latencies(url, headers, TOKENS_PER_SECOND, rounds * seconds);
      const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
      return [
        {
          name: 'registry-token',
          target: `p99 <= ${TOKEN_P99_MS} ms`,
          measured: `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
          holds: p99 <= TOKEN_P99_MS,
        },
      ];
    } finally {
      await api.stop();
    }
  },
};

/** Twenty of 2,500 packages of a project, and tokens for the container registry. */
export const packageBenches: Bench[] = [list, token];
