import { loadavg, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { report } from '../goal.js';
import type { Bench, Effort, Goal } from '../goal.js';
import type { BenchSite } from '../bench-site.js';
import type { AnyAttack, Beside } from './attack.js';
import { AttackersProcess } from './attackers-process.js';
import { answersGoal, latencyGoal, memoryGoal } from './goals.js';
import { Ground } from './ground.js';
import { Others } from './others.js';
import type { Span } from './others.js';
import { ProcessWatch, stopWhole } from './process-watch.js';
import { recoveryGoal } from './recovery.js';

const WARM_UP_MS = 3000;
/**
 * If the slowest kind of request takes longer than this on a machine without an attack, the machine cannot measure
 * anything.
 */
const CALM_MS = 1000;
const WAIT_FOR_CALM_MS = 60_000;
const QUIET_MS = 6000;
/** Turns of a measured bench that an attack lasts, and seconds at most. */
const TURNS = 8;
const MOST_SECONDS = 20;

/**
 * Gives the measuring process priority, if the system permits it: otherwise its own wait for a processor would count.
 */
function measureFirst(first: boolean): void {
  try {
    setPriority(first ? -10 : 0);
  } catch {
    // Only administrators may.
  }
}

async function getSpan(work: () => Promise<unknown>): Promise<Span> {
  const from = performance.now();
  await work();
  return { from, to: performance.now() };
}

/** Waits until other requests are as fast as on an idle machine. @throws if that never happens */
async function warmUp(others: Others): Promise<void> {
  const deadline = performance.now() + WAIT_FOR_CALM_MS;
  for (;;) {
    const span = await getSpan(() => sleep(WARM_UP_MS));
    await sleep(CALM_MS);
    if (others.slowest(span) <= CALM_MS) return;
    if (performance.now() > deadline) throw new Error('the machine is too busy to measure anything');
  }
}

interface Attacked {
  span: Span;
  /** The responses to the attackers, by status. */
  counts: Record<string, number>;
}

/** Lets the attackers loose for some seconds. */
async function attackFor(
  name: string,
  orders: { url: string; target: unknown },
  { beside, watch, seconds }: { beside: Beside | undefined; watch: ProcessWatch; seconds: number },
): Promise<Attacked> {
  const attackers = await AttackersProcess.start(name);
  const over = new AbortController();
  let counts: Attacked['counts'] = {};
  const span = await getSpan(async () => {
    attackers.begin(orders);
    const measured = beside?.meanwhile?.(over.signal);
    // Errors there are reported at the end.
    measured?.catch(() => undefined);
    await sleep(seconds * 1000, undefined, { signal: watch.memoryIsShort }).catch(() =>
      report('ended early: the machine runs short of memory'),
    );
    counts = await attackers.stop();
    over.abort();
    await measured;
  });
  return { span, counts };
}

async function measure(attack: AnyAttack, ground: Ground, seconds: number): Promise<Goal[]> {
  const { name } = attack;
  const children = ground.worker ? [ground.api, ground.worker] : [ground.api];
  const target = await attack.prepare(ground);
  measureFirst(true);
  const others = await Others.start(ground);
  const watch = new ProcessWatch(children, ground.site.db);
  const beside = attack.beside?.(ground, target);
  try {
    await warmUp(others);
    const quiet = await getSpan(() => Promise.all([sleep(QUIET_MS), beside?.quiet?.()]));
    report(`load of the machine before: ${(loadavg()[0] ?? 0).toFixed(1)}`);
    watch.forgetPeak();
    const idle = await watch.memory();
    const attacked = await attackFor(name, { url: ground.api.url, target }, { beside, watch, seconds });
    const afterwards = await recoveryGoal(name, { others, watch, children }, quiet, attacked.span.to);
    const memory = await watch.memory();
    await others.stop();
    const most = watch.most(attacked.span);
    report(
      `at once: ${most.children} processes below with ${most.childrenMiB.toFixed(0)} MiB, ${most.statements} statements`,
    );
    const since = { from: attacked.span.from, to: performance.now() };
    return [
      latencyGoal(name, others, quiet, attacked.span),
      answersGoal(name, others.statuses(since), attacked.counts),
      memoryGoal(name, idle, memory),
      afterwards,
      ...((await beside?.goals()) ?? []),
    ];
  } finally {
    measureFirst(false);
    watch.stop();
    await others.stop();
    await beside?.close?.();
  }
}

/** An attack as something that can be measured on its own. */
export function getBench(attack: AnyAttack): Bench {
  return {
    name: attack.name,
    group: 'attacks',
    async run(site: BenchSite, effort: Effort): Promise<Goal[]> {
      const api = await site.api();
      const worker = attack.worker ? await site.worker() : null;
      try {
        return await measure(attack, new Ground(site, api, worker), Math.min(effort.seconds * TURNS, MOST_SECONDS));
      } finally {
        await stopWhole(worker ? [api, worker] : [api]);
      }
    },
  };
}
