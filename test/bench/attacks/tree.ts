import { attack } from './attack.js';
import { ATTACKER } from './ground.js';
import { nestedTrees } from './repositories.js';

const AT_ONCE = 6;
/** Entries of each folder, and folders in folders: 92 + 92² + 92³, of four objects. */
const ENTRIES = 92;
const DEPTH = 3;

/** First pages of a tree with everything below: of 787,000 entries. */
export const tree = attack({
  name: 'attack-tree',
  async prepare(ground) {
    const project = await ground.newProject(ATTACKER);
    await ground.publish(project, [
      { name: 'huge', sha: await nestedTrees(project, { entries: ENTRIES, depth: DEPTH }) },
    ]);
    return { id: project.id, token: await ground.tokenOf(ATTACKER) };
  },
  async run(attackers, { id, token }) {
    const path = `/api/v4/projects/${id}/repository/tree?ref=huge&recursive=true&per_page=100`;
    await attackers.several(AT_ONCE, () => attackers.ask({ path, token }));
  },
});
