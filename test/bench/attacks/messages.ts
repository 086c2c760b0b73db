import { attack } from './attack.js';
import type { Attackers } from './attackers.js';
import { ATTACKER } from './ground.js';
import type { Ground } from './ground.js';
import { git } from './repositories.js';

const AT_ONCE = 12;
const BRANCHES = 100;
const LINE = `${'It is a long story. '.repeat(5)}\n`;
const MESSAGE_BYTES = 4 * 1024 * 1024;
const TRAILERS = 20_000;

/** A project whose branches all point to one commit. */
async function project(ground: Ground, message: string) {
  const newProject = await ground.newProject(ATTACKER);
  const sha = await git(newProject, ['commit-tree', 'HEAD^{tree}', '-p', 'HEAD'], message);
  const branches = Array.from({ length: BRANCHES }, (_, index) => ({ name: `story-${index}`, sha }));
  await ground.publish(newProject, branches);
  return { id: newProject.id, token: await ground.tokenOf(ATTACKER) };
}

const listBranches = (attackers: Attackers, { id, token }: { id: number; token: string }) => {
  const path = `/api/v4/projects/${id}/repository/branches?per_page=${BRANCHES}`;
  return attackers.several(AT_ONCE, () => attackers.ask({ path, token }));
};

/** Pages of branches that all lead to a commit with a message of four megabytes. */
export const messages = attack({
  name: 'attack-messages',
  prepare: (ground) => project(ground, `A long story\n\n${LINE.repeat(MESSAGE_BYTES / LINE.length)}`),
  run: listBranches,
});

/** The same with a short message that has very many trailers, all of one name. */
export const trailers = attack({
  name: 'attack-trailers',
  prepare: (ground) => project(ground, `A short story\n\n${'a: b\n'.repeat(TRAILERS)}`),
  run: listBranches,
});
