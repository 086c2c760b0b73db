import { tell } from '../goal.js';
import type { Goal } from '../goal.js';
import { latenessOfOne } from '../schedule-latency.js';
import { quantile } from '../statistics.js';
import { attack } from './attack.js';
import { ATTACKER } from './ground.js';
import type { Ground } from './ground.js';

const RULES = 200;
const FILES = 120;
/** Folders above each file, and the letters of their names. */
const DEPTH = 15;
const LETTERS = 250;
const PUSH_EVERY_MS = 5000;
const QUIET_SAMPLES = 8;
const TIMES = 3;
/** What a due schedule may take in any case: the goal of `schedule-latency`. */
const ALLOWED_MS = 200;

/** Each begins to fit at every letter of every folder. */
const rule = (index: number) => `**/*${'a'.repeat(120)}${index.toString(36)}/**/b linguist-vendored\n`;
const attributes = Array.from({ length: RULES }, (_, index) => rule(index)).join('');
const folders = `${'a'.repeat(LETTERS)}/`.repeat(DEPTH);

async function latenesses(ground: Ground, enough: (taken: number) => boolean): Promise<number[]> {
  const db = await ground.place.db.connect();
  const times: number[] = [];
  try {
    while (!enough(times.length)) times.push(await latenessOfOne(db, ground.place));
  } finally {
    db.release();
  }
  return times;
}

/** Pushes of attributes whose patterns are slow to match, while schedules are due. */
export const gitattributes = attack({
  name: 'attack-gitattributes',
  worker: true,
  async prepare(ground) {
    const project = await ground.newProject(ATTACKER);
    return { id: project.id, token: await ground.tokenOf(ATTACKER) };
  },
  async run(attackers, { id, token }) {
    let pushed = 0;
    await attackers.several(1, async () => {
      pushed += 1;
      const files = Array.from({ length: FILES }, (_, index) => ({
        action: 'create',
        file_path: `${pushed}-${index}/${folders}b`,
        content: 'x',
      }));
      const first = { action: 'create', file_path: '.gitattributes', content: attributes };
      const actions = pushed === 1 ? [first, ...files] : files;
      const body = JSON.stringify({ branch: 'main', commit_message: 'More files', actions });
      await attackers.ask({ method: 'POST', path: `/api/v4/projects/${id}/repository/commits`, token, body });
      await attackers.pause(PUSH_EVERY_MS);
    });
  },
  beside(ground) {
    let [quiet, attacked]: number[][] = [];
    return {
      async quiet() {
        quiet = await latenesses(ground, (taken) => taken >= QUIET_SAMPLES);
      },
      async meanwhile(stop) {
        attacked = await latenesses(ground, () => stop.aborted);
      },
      goals(): Goal[] {
        const [before, meanwhile] = [quantile(quiet ?? [], 0.9), quantile(attacked ?? [], 0.9)];
        tell(`schedules, p90: ${before.toFixed(0)} ms late quiet, ${meanwhile.toFixed(0)} ms attacked`);
        return [
          {
            name: 'attack-gitattributes schedules',
            wanted: `p90 <= ${TIMES} x the quiet one, or ${ALLOWED_MS} ms`,
            measured: `${meanwhile.toFixed(0)} ms late`,
            holds: meanwhile <= Math.max(TIMES * before, ALLOWED_MS),
          },
        ];
      },
    };
  },
});
