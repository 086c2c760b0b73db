import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Ground } from './attacks/ground.js';
import type { NewProject } from './attacks/ground.js';
import { git } from './attacks/repositories.js';
import type { Bench, Goal } from './goal.js';
import type { BenchSite } from './bench-site.js';

const REFS = 10_000;
const MOST_SECONDS = 2;
const OWNER = 1002;

/** Seconds of `npm run repair -- repositories` for one project. */
async function repairSeconds(site: BenchSite, { full_path }: NewProject): Promise<number> {
  const began = performance.now();
  const child = spawn(
    process.execPath,
    [path.join('shared', 'launch', 'capstan.mjs'), 'repair', 'repositories', '--project', full_path],
    { env: { ...process.env, ...site.env }, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  const code = await new Promise((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`The repair ended with ${String(code)}.`);
  return (performance.now() - began) / 1000;
}

/** The repair of a repository with 10,000 tags of which the index knows nothing, without what one of a new one takes. */
export const repair: Bench = {
  name: 'repair',
  async run(site): Promise<Goal[]> {
    const api = await site.api();
    try {
      const ground = new Ground(site, api, null);
      const [fresh, project] = [await ground.newProject(OWNER), await ground.newProject(OWNER)];
      const sha = await git(project, ['rev-parse', 'HEAD']);
      const tags = Array.from({ length: REFS }, (_, index) => `${sha} refs/tags/t${String(index).padStart(6, '0')}\n`);
      writeFileSync(`${project.repository}/packed-refs`, `# pack-refs with: sorted \n${tags.join('')}`);
      const [before, after] = [await repairSeconds(site, fresh), await repairSeconds(site, project)];
      const seconds = after - before;
      const { rows } = await site.db.query<{ count: string }>(
        `select count(*) from repository_refs where project_id = $1 and kind = 'tag'`,
        [project.id],
      );
      if (Number(rows[0]?.count) !== REFS) throw new Error(`${rows[0]?.count} tags are in the index.`);
      return [
        {
          name: `repair of ${REFS} refs`,
          target: `<= ${MOST_SECONDS} s`,
          measured: `${seconds.toFixed(2)} s`,
          holds: seconds <= MOST_SECONDS,
        },
      ];
    } finally {
      await api.stop();
    }
  },
};
