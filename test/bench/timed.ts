import type { Child } from './child.js';
import type { Effort, Goal } from './goal.js';
import type { LargeSite } from './large-site.js';
import { warmUp } from './load.js';
import { quantile } from './statistics.js';

/** Times of single requests, one after the other, in milliseconds. */
export async function getTimes(ask: readonly (() => Promise<Response>)[], effort: Effort): Promise<number[]> {
  const times: number[] = [];
  const turns = Math.max(ask.length, 8 * effort.rounds);
  for (let turn = -ask.length; turn < turns; turn += 1) {
    const began = performance.now();
    const response = await (ask[(turn + ask.length) % ask.length] as () => Promise<Response>)();
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`${response.url} answers ${response.status}`);
    if (turn >= 0) times.push(performance.now() - began);
  }
  return times;
}

export const within = (name: string, mostMs: number, times: readonly number[]): Goal => ({
  name,
  target: `p90 <= ${mostMs} ms`,
  measured: `${quantile(times, 0.9).toFixed(1)} ms`,
  holds: quantile(times, 0.9) <= mostMs,
});

/** Runs an action on an API process of the large site. @param token the token that warms it up */
export async function onApi(site: LargeSite, token: string, run: (api: Child) => Promise<Goal[]>): Promise<Goal[]> {
  const api = await site.api();
  try {
    await warmUp(`${api.url}/api/v4/version`, { 'private-token': token }, 200);
    return await run(api);
  } finally {
    await api.stop();
  }
}
