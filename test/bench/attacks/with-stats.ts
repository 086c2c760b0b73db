import { attack } from './attack.js';
import { ATTACKER } from './ground.js';
import { commitLines, fastImport, fileLines } from './repositories.js';

const AT_ONCE = 64;
const COMMITS = 20;
const FILES = 700;
const LINES = 60;

const getText = (commit: number, file: number) =>
  Array.from(
    { length: LINES },
    (_, line) => `line ${line} of file ${file}, ${line % 4 === 0 ? commit : 'as it was'}\n`,
  ).join('');

/** Each commit moves every file and changes a part of it: git compares them all with each other. */
function* bigCommits(): Iterable<string> {
  for (let commit = 0; commit < COMMITS; commit += 1) {
    yield `${commitLines('big', `Move everything, ${commit}`)}deleteall\n`;
    for (let file = 0; file < FILES; file += 1)
      yield fileLines(`of-${commit}/${commit}-${file}.txt`, getText(commit, file));
  }
}

/** Pages of commits with their stats, of a repository where they are expensive. */
export const withStats = attack({
  name: 'attack-with-stats',
  async prepare(ground) {
    const project = await ground.newProject(ATTACKER);
    await ground.publish(project, [{ name: 'big', sha: await fastImport(project, bigCommits(), 'big') }]);
    return { id: project.id, token: await ground.tokenOf(ATTACKER) };
  },
  async run(attackers, { id, token }) {
    const path = `/api/v4/projects/${id}/repository/commits?ref_name=big&with_stats=true&per_page=${COMMITS}`;
    await attackers.several(AT_ONCE, () => attackers.ask({ path, token }));
  },
});
