import { quantile } from '../statistics.js';
import { attack } from './attack.js';
import { ATTACKER } from './ground.js';
import type { NewProject } from './ground.js';
import { git } from './repositories.js';
import { schedulesBeside } from './schedules.js';

const RULES = 200;
const FILES = 20;
/** Folders above each file, and the letters of their names. */
const DEPTH = 15;
const LETTERS = 250;
const PUSH_EVERY_MS = 2000;
const TIMES = 3;
/** The maximum latency of a due schedule, even under attack: the goal of `schedule-latency`. */
const ALLOWED_MS = 200;

/** Each begins to fit at every letter of every folder. */
const rule = (index: number) => `**/*${'a'.repeat(120)}${index.toString(36)}/**/b linguist-vendored\n`;

/** Attributes, and a file below many folders with long names, again and again. */
async function slowTree(project: NewProject): Promise<string> {
  const rules = Array.from({ length: RULES }, (_, index) => rule(index)).join('');
  const attributes = await git(project, ['hash-object', '-w', '--stdin'], rules);
  const file = await git(project, ['hash-object', '-w', '--stdin'], 'x');
  let tree = await git(project, ['mktree'], `100644 blob ${file}\tb\n`);
  for (let depth = 0; depth < DEPTH; depth += 1)
    tree = await git(project, ['mktree'], `040000 tree ${tree}\t${'a'.repeat(LETTERS)}\n`);
  const copies = Array.from({ length: FILES }, (_, index) => `040000 tree ${tree}\t${index}\n`).join('');
  const root = await git(project, ['mktree'], `100644 blob ${attributes}\t.gitattributes\n${copies}`);
  return git(project, ['commit-tree', root, '-m', 'Slow patterns']);
}

/** Pushes of attributes whose patterns are slow to match, while schedules are due. */
export const gitattributes = attack({
  name: 'attack-gitattributes',
  worker: true,
  async prepare(ground) {
    const project = await ground.newProject(ATTACKER);
    await ground.publish(project, [{ name: 'main', sha: await slowTree(project) }]);
    return { id: project.id, token: await ground.tokenOf(ATTACKER) };
  },
  async run(attackers, { id, token }) {
    let pushed = 0;
    await attackers.several(1, async () => {
      pushed += 1;
      const actions = [{ action: 'create', file_path: `file-${pushed}`, content: 'x' }];
      const body = JSON.stringify({ branch: 'main', commit_message: 'One more', actions });
      await attackers.ask({ method: 'POST', path: `/api/v4/projects/${id}/repository/commits`, token, body });
      await attackers.pause(PUSH_EVERY_MS);
    });
  },
  beside: (ground) =>
    schedulesBeside('attack-gitattributes', ground, {
      target: `p90 <= ${TIMES} x the quiet one, or ${ALLOWED_MS} ms`,
      measured: ({ attacked }) => quantile(attacked, 0.9),
      limit: ({ quiet }) => Math.max(TIMES * quantile(quiet, 0.9), ALLOWED_MS),
    }),
});
