import type { Bench, Goal } from '../goal.js';
import { report } from '../goal.js';
import { CALLERS } from '../seed/callers.js';
import { quantile } from '../statistics.js';
import { onApi, getTimes } from '../timed.js';

const MOST_MS = 2000;
const { token } = CALLERS.admin;

/** The next seven days of 100,000 schedules: first by a process that computed none of their times, then again. */
export const forecast: Bench = {
  name: 'forecast-of-many',
  group: 'pages',
  async run(site, effort): Promise<Goal[]> {
    const large = await site.large();
    const { rows } = await large.db.query<{ schedules: string; times: string }>(
      `select count(*) as schedules, count(distinct (cron, cron_timezone)) as times from pipeline_schedules where active`,
    );
    report(`${rows[0]?.schedules} active schedules at ${rows[0]?.times} different times`);
    return onApi(large, token, async (api) => {
      const ask = () => fetch(`${api.url}/api/v4/pipeline_schedules/forecast`, { headers: { 'private-token': token } });
      const began = performance.now();
      const first = await ask();
      await first.arrayBuffer();
      if (!first.ok) throw new Error(`The forecast answers ${first.status}`);
      const cold = performance.now() - began;
      const warm = quantile(await getTimes([ask], effort), 0.9);
      return [
        {
          name: 'forecast-of-many',
          target: `<= ${MOST_MS} ms`,
          measured: `${cold.toFixed(0)} ms`,
          holds: cold <= MOST_MS,
        },
        {
          name: 'forecast-of-many again',
          target: `p90 <= ${MOST_MS} ms`,
          measured: `${warm.toFixed(0)} ms`,
          holds: warm <= MOST_MS,
        },
      ];
    });
  },
};
