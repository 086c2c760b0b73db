import type { Child } from './child.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import { reportJob, requestJob, withHandouts } from './handout-site.js';
import type { HandoutSite } from './handout-site.js';
import { quantile } from './statistics.js';

const QUEUED = 5_000;
const ROUNDS = 50;
/** Slots that the large project has already, and keeps. */
const TAKEN = 20;
const WARM_UP = 30;
const SLOTS = 2;

/** Runners that ask one after the other, at either process. */
class Slots {
  #count = 0;
  readonly times: number[] = [];

  constructor(
    private readonly site: HandoutSite,
    private readonly apis: readonly Child[],
  ) {}

  /** Gives the next free slot a job. @returns its id */
  async next(isOver = true): Promise<number> {
    const { tokens } = this.site;
    this.#count += 1;
    const { url } = this.apis[this.#count % this.apis.length]!;
    const { status, body, ms } = await requestJob(url, tokens[this.#count % tokens.length]!);
    if (status !== 201) throw new Error(`A request for a job is answered ${status}.`);
    this.times.push(ms);
    if (isOver) await reportJob(url, body, 'success');
    return body.id;
  }
}

/** Has another project add one job after the other. @returns which free slot each got */
async function addOneByOne(site: HandoutSite, slots: Slots, ids: readonly number[]): Promise<number[]> {
  const turns: number[] = [];
  for (const id of ids) {
    await site.queue([id]);
    let turn = 1;
    while (turn <= QUEUED && (await slots.next()) !== id) turn += 1;
    turns.push(turn);
  }
  return turns;
}

/** One project has thousands of jobs queued, another one adds one: which of the free slots it gets. */
export const fairSlots: Bench = {
  name: 'fair-slots',
  group: 'pipelines',
  run: (bench) =>
    withHandouts(bench, async (site, apis): Promise<Goal[]> => {
      await site.queue(await site.makeJobsOf(0, QUEUED));
      const ids = await site.makeJobsOf(1, 2 * ROUNDS);
      const slots = new Slots(site, apis);
      for (let count = 0; count < WARM_UP; count += 1) await slots.next();
      slots.times.length = 0;
      const idle = await addOneByOne(site, slots, ids.slice(0, ROUNDS));
      for (let count = 0; count < TAKEN; count += 1) await slots.next(false);
      const busy = await addOneByOne(site, slots, ids.slice(ROUNDS));
      const last = Math.max(...idle, ...busy);
      const [p50, p99] = [quantile(slots.times, 0.5), quantile(slots.times, 0.99)];
      report(`a request beside ${QUEUED} queued jobs: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
      report(
        `last slot: ${Math.max(...idle)} while no job runs, ${Math.max(...busy)} while ${TAKEN} of the other project do`,
      );
      return [
        {
          name: 'fair-slots',
          target: `one of the next ${SLOTS} free slots`,
          measured: `p50 ${quantile([...idle, ...busy], 0.5)}, last ${last}`,
          holds: last <= SLOTS,
        },
      ];
    }),
};
