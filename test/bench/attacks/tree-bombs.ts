import { attack } from './attack.js';
import { ATTACKER } from './ground.js';
import { git, nestedTrees } from './repositories.js';
import { schedulesBeside } from './schedules.js';

const NAME = 'attack-tree-bombs';
const USERS = 6;
/** 10^10 paths, of eleven objects. */
const ENTRIES = 10;
const DEPTH = 10;

interface Bomber {
  id: number;
  token: string;
  target: string;
}

/** Merge requests of trees with 10^10 paths: created, diffed, merged and closed, repeatedly. */
export const treeBombs = attack<Bomber[]>({
  name: NAME,
  worker: true,
  prepare: (ground) =>
    Promise.all(
      Array.from({ length: USERS }, async (_, index) => {
        const project = await ground.newProject(ATTACKER + index);
        const target = (await git(project, ['symbolic-ref', '--short', 'HEAD'])).trim();
        const parent = await git(project, ['rev-parse', 'HEAD']);
        const sha = await nestedTrees(project, { entries: ENTRIES, depth: DEPTH, content: `bomb ${index}`, parent });
        await ground.publish(project, [{ name: 'bomb', sha }]);
        return { id: project.id, token: await ground.tokenOf(ATTACKER + index), target };
      }),
    ),
  async run(attackers, bombers) {
    await attackers.several(USERS, async (attacker) => {
      const { id, token, target } = bombers[attacker] as Bomber;
      const requests = `/api/v4/projects/${id}/merge_requests`;
      let iid = 0;
      await attackers.ask({
        method: 'POST',
        path: requests,
        token,
        body: JSON.stringify({ source_branch: 'bomb', target_branch: target, title: 'Many files' }),
        read: (answer) => {
          let text = '';
          answer.setEncoding('utf8');
          answer.on('data', (chunk: string) => (text += chunk));
          answer.on('end', () => (iid = answer.statusCode === 201 ? (JSON.parse(text) as { iid: number }).iid : 0));
        },
      });
      for (const what of ['diffs', 'changes', 'versions', 'commits'])
        await attackers.ask({ path: `${requests}/${iid}/${what}`, token });
      await attackers.ask({ path: `/api/v4/projects/${id}/repository/compare?from=${target}&to=bomb`, token });
      await attackers.ask({
        method: 'PUT',
        path: `${requests}/${iid}`,
        token,
        body: JSON.stringify({ state_event: 'close' }),
      });
    });
  },
  beside: (ground) => schedulesBeside(NAME, ground),
});

const AT_ONCE = 6;
/** Entries of each folder, and folders in folders: 92 + 92² + 92³, of four objects. */
const TREE_ENTRIES = 92;
const TREE_DEPTH = 3;

/** First pages of a tree with everything below: of 787,000 entries. */
export const tree = attack({
  name: 'attack-tree',
  async prepare(ground) {
    const project = await ground.newProject(ATTACKER);
    await ground.publish(project, [
      { name: 'huge', sha: await nestedTrees(project, { entries: TREE_ENTRIES, depth: TREE_DEPTH }) },
    ]);
    return { id: project.id, token: await ground.tokenOf(ATTACKER) };
  },
  async run(attackers, { id, token }) {
    const path = `/api/v4/projects/${id}/repository/tree?ref=huge&recursive=true&per_page=100`;
    await attackers.several(AT_ONCE, () => attackers.ask({ path, token }));
  },
});
