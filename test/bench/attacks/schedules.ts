import { report } from '../goal.js';
import { latenessOfOne } from '../schedule-latency.js';
import { quantile } from '../statistics.js';
import type { Beside } from './attack.js';
import type { Ground } from './ground.js';

const QUIET_SAMPLES = 8;
/** One that makes no pipeline counts as so late. */
const NEVER_MS = 15_000;
/** While an attack runs no schedule may be later. */
const LATEST_MS = 1000;

/** How late schedules are, in milliseconds. */
interface Lateness {
  quiet: number[];
  attacked: number[];
}

interface ScheduleGoal {
  target: string;
  /** The measured value, in milliseconds. */
  measured: (lateness: Lateness) => number;
  limit: (lateness: Lateness) => number;
}

/** No schedule may be more than a second late. */
const NONE_LATE: ScheduleGoal = {
  target: `none later than ${LATEST_MS / 1000} s`,
  measured: ({ attacked }) => Math.max(...attacked),
  limit: () => LATEST_MS,
};

async function latenesses(ground: Ground, enough: (count: number) => boolean): Promise<number[]> {
  const db = await ground.site.db.connect();
  const times: number[] = [];
  try {
    while (!enough(times.length)) times.push(Math.min(await latenessOfOne(db, ground.site), NEVER_MS));
  } finally {
    db.release();
  }
  return times;
}

/** Makes schedules due, one after the other, by themselves and while an attack runs. */
export function schedulesBeside(name: string, ground: Ground, goal: ScheduleGoal = NONE_LATE): Beside {
  const lateness: Lateness = { quiet: [], attacked: [] };
  return {
    async quiet() {
      lateness.quiet = await latenesses(ground, (count) => count >= QUIET_SAMPLES);
    },
    async meanwhile(stop) {
      lateness.attacked = await latenesses(ground, (count) => count > 0 && stop.aborted);
    },
    goals() {
      const [quiet, attacked] = [quantile(lateness.quiet, 0.9), quantile(lateness.attacked, 0.9)];
      report(`schedules, p90: ${quiet.toFixed(0)} ms late quiet, ${attacked.toFixed(0)} ms attacked`);
      const measured = goal.measured(lateness);
      return [
        {
          name: `${name} schedules`,
          target: goal.target,
          measured: `${measured.toFixed(0)} ms late`,
          holds: measured <= goal.limit(lateness),
        },
      ];
    },
  };
}
