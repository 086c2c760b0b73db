import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from '../child.js';
import { report } from '../goal.js';
import type { Goal } from '../goal.js';
import { TIMES } from './goals.js';
import { KINDS } from './others.js';
import type { Others, Span } from './others.js';
import type { ProcessWatch } from './process-watch.js';

/** The quiet state counts as back when it holds for so long. */
const CALM_MS = 2000;
const STEP_MS = 250;
/** Requests sent at the end of a time range are awaited for this long. */
const ANSWER_MS = 1000;
const GIVE_UP_MS = 20_000;
const AFTER_SECONDS = 5;
/** Statements or git processes more than while it was quiet, on average: one that is left over counts as one. */
const LEFT_OVER = 0.5;

/** The sources of the measured state. */
export interface Scene {
  others: Others;
  watch: ProcessWatch;
  children: readonly Child[];
}

interface Calm {
  requests: boolean;
  database: boolean;
  git: boolean;
}

/** Whether a time range after the attack is like the quiet one. */
function isCalm({ others, watch }: Scene, quiet: Span, span: Span): Calm {
  const [before, after] = [watch.means(quiet), watch.means(span)];
  const answered = Object.keys(others.statuses(span)).every((status) => status === '200');
  return {
    requests: answered && KINDS.every((kind) => others.p90(kind, span) <= TIMES * others.p90(kind, quiet)),
    database: after.statements <= before.statements + LEFT_OVER,
    git: after.children <= before.children + LEFT_OVER,
  };
}

/** Seconds after the attack from which on everything was as before, and each part of it; Infinity for never. */
async function secondsUntilCalm(scene: Scene, quiet: Span, end: number): Promise<Record<keyof Calm | 'all', number>> {
  const found = { all: Infinity, requests: Infinity, database: Infinity, git: Infinity };
  const alive = () => scene.children.every(({ process }) => process.exitCode === null && process.signalCode === null);
  for (let from = end; from < end + GIVE_UP_MS && alive() && found.all === Infinity; from += STEP_MS) {
    await sleep(Math.max(0, from + CALM_MS + ANSWER_MS - performance.now()));
    const calm = isCalm(scene, quiet, { from, to: from + CALM_MS });
    const seconds = (from - end) / 1000;
    for (const part of ['requests', 'database', 'git'] as const)
      if (calm[part]) found[part] = Math.min(found[part], seconds);
    if (calm.requests && calm.database && calm.git) found.all = seconds;
  }
  return found;
}

/** How soon after the attack everything has returned to normal. */
export async function recoveryGoal(name: string, scene: Scene, quiet: Span, end: number): Promise<Goal> {
  const seconds = await secondsUntilCalm(scene, quiet, end);
  const text = (value: number) => (value === Infinity ? `not within ${GIVE_UP_MS / 1000} s` : `${value.toFixed(1)} s`);
  report(
    `quiet again: requests ${text(seconds.requests)}, database ${text(seconds.database)}, git ${text(seconds.git)}`,
  );
  return {
    name: `${name} afterwards`,
    target: `as before within ${AFTER_SECONDS} s`,
    measured: text(seconds.all),
    holds: seconds.all <= AFTER_SECONDS,
  };
}
