import { setTimeout as sleep } from 'node:timers/promises';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import { PROJECTS, requestJob, withHandouts } from './handout-site.js';
import { quantile } from './statistics.js';

const LOST = 60;
/** Between two of them. */
const PAUSE_MS = 100;
const POLL_MS = 10;
const GOAL_SECONDS = 10;
const GIVE_UP_MS = 40_000;

/** Hand-outs whose answers are lost: nobody acknowledges them. Until each job is queued again, with a worker. */
export const lostHandouts: Bench = {
  name: 'lost-handouts',
  group: 'pipelines',
  run: (bench) =>
    withHandouts(bench, async (site, apis): Promise<Goal[]> => {
      const worker = await bench.worker();
      try {
        await site.queue(await site.makeJobs(LOST / PROJECTS));
        const answeredAt = new Map<number, number>();
        for (let count = 0; count < LOST; count += 1) {
          const { url } = apis[count % apis.length]!;
          const info = { features: { two_phase_job_commit: true } };
          const { status, body } = await requestJob(url, site.tokens[count]!, { info });
          if (status !== 201) throw new Error(`A request for a job is answered ${status}.`);
          answeredAt.set(body.id, performance.now());
          await sleep(PAUSE_MS);
        }
        const seconds: number[] = [];
        const until = performance.now() + GIVE_UP_MS;
        while (answeredAt.size > 0 && performance.now() < until) {
          const { rows } = await bench.db.query<{ job_id: string }>(
            'select job_id from ci_queue where job_id = any($1)',
            [[...answeredAt.keys()]],
          );
          for (const id of rows.map(({ job_id }) => Number(job_id))) {
            seconds.push((performance.now() - (answeredAt.get(id) ?? 0)) / 1000);
            answeredAt.delete(id);
          }
          await sleep(POLL_MS);
        }
        const last = answeredAt.size === 0 ? Math.max(...seconds) : Infinity;
        report(`${LOST} lost answers: the first is queued again after ${Math.min(...seconds).toFixed(2)} s`);
        return [
          {
            name: 'lost-handouts',
            target: `queued again <= ${GOAL_SECONDS} s after the answer`,
            measured: `p50 ${quantile(seconds, 0.5).toFixed(2)} s, p99 ${quantile(seconds, 0.99).toFixed(2)} s, last ${last.toFixed(2)} s`,
            holds: last <= GOAL_SECONDS,
          },
        ];
      } finally {
        await worker.stop();
      }
    }),
};
