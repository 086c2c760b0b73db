import autocannon from 'autocannon';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import { latencies, warmUp } from './load.js';
import { quantile, withSpread, median } from './statistics.js';

const P99_MS = 10;
const CONNECTIONS = 32;
const PROBES_PER_SECOND = 10;
/** So that each round sends a hundred probes. */
const SECONDS = 10;

/** `GET /-/health` while others have the process do as much as it can. */
export const probes: Bench = {
  name: 'probes',
  async run(site, { rounds }): Promise<Goal[]> {
    const api = await site.api();
    try {
      const url = `${api.url}/api/v4/projects/${site.data.projectId}`;
      const headers = { 'PRIVATE-TOKEN': site.data.token };
      await warmUp(url, headers);
      const worst: number[] = [];
      for (let round = 0; round < Math.min(rounds, 3); round += 1) {
        const load = autocannon({ url, headers, connections: CONNECTIONS, duration: SECONDS + 2, workers: 1 });
        // The load is on before anything is measured.
        await new Promise((resolve) => setTimeout(resolve, 1_000));
        const times = await latencies(`${api.url}/-/health`, {}, PROBES_PER_SECOND, SECONDS);
        const { requests, duration, non2xx } = await load;
        if (non2xx > 0) throw new Error(`${non2xx} of the requests failed.`);
        report(
          `p50 ${quantile(times, 0.5).toFixed(1)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms beside ` +
            `${(requests.total / duration).toFixed(0)} requests a second`,
        );
        worst.push(quantile(times, 0.99));
      }
      const measured = withSpread(worst, 1, ' ms');
      return [{ name: 'probes, /-/health p99', target: `<= ${P99_MS} ms`, measured, holds: median(worst) <= P99_MS }];
    } finally {
      await api.stop();
    }
  },
};
