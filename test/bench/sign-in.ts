import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, Effort, Goal } from './goal.js';
import { report } from './goal.js';
import { latencies, peakRate, warmUp } from './load.js';
import type { BenchSite } from './bench-site.js';
import { median, quantile, withSpread } from './statistics.js';

const SIGN_INS_A_SECOND = 100;
/** Others' requests may take so many times as long. */
const TIMES = 1.5;
/** Of the peak: a server that is busy, not one that is full. */
const SHARE_OF_PEAK = 0.25;

/** Sends sign-ins at a fixed rate until it is stopped, and counts the responses by status. */
function signInFlood(url: string): () => Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const running = new Set<Promise<void>>();
  const body = JSON.stringify({ login: 'root', password: 'a password of the administrator' });
  const send = () => {
    const sent: Promise<void> = fetch(`${url}/users/sign_in`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    }).then(async (response) => {
      await response.arrayBuffer();
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
      running.delete(sent);
    });
    running.add(sent);
  };
  const timer = setInterval(send, 1000 / SIGN_INS_A_SECOND);
  return async () => {
    clearInterval(timer);
    await Promise.all(running);
    return statuses;
  };
}

async function measure(site: BenchSite, { rounds, seconds }: Effort): Promise<Goal[]> {
  // All come from one address, for one account.
  await site.db.query(`insert into instance_settings (name, value, updated_at) values ('sign_in_limit', '0', now())`);
  const child = await site.api();
  try {
    const url = `${child.url}/api/v4/projects/${site.data.projectId}`;
    const headers = { 'PRIVATE-TOKEN': site.data.token };
    await warmUp(url, headers);
    const rate = (await peakRate(url, headers, seconds)) * SHARE_OF_PEAK;
    const ratios: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const quiet = quantile(await latencies(url, headers, rate, seconds), 0.9);
      const stop = signInFlood(child.url);
      // The first hashes are under way and the queue is full before anything is measured.
      await sleep(300);
      const busy = quantile(await latencies(url, headers, rate, seconds), 0.9);
      const statuses = await stop();
      const counted = [...statuses].map(([status, count]) => `${count} x ${status}`).join(', ');
      report(`p90 ${quiet.toFixed(1)} ms alone, ${busy.toFixed(1)} ms beside sign-ins (${counted})`);
      ratios.push(busy / quiet);
    }
    const target = `p90 <= ${TIMES} x that without them`;
    return [{ name: 'sign-in', target, measured: withSpread(ratios, 2, ' x'), holds: median(ratios) <= TIMES }];
  } finally {
    await child.stop();
    await site.db.query(`delete from instance_settings where name = 'sign_in_limit'`);
  }
}

/** Other requests while a hundred users per second sign in, most of whom are throttled. */
export const signIns: Bench = { name: 'sign-in', run: measure };
