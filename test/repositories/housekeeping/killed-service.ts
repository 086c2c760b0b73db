import { once } from 'node:events';
import path from 'node:path';
import { repositoryPath } from '../../../shared/git/index.js';
import { eventually } from '../../core/processes.js';
import type { StartedService } from '../../core/processes.js';
import { plainGit } from '../../git/git-fixture.js';

/** `npm run test:faults` takes its time; `npm test` has a short version of the same. */
export const LONG = process.env.CAPSTAN_FAULTS === 'long';
export const KILLS = LONG ? 100 : 3;
/** As long as index and refs may be apart. */
const MENDED_SECONDS = 10;

/** The folder of all repositories of a service. */
export const getRepositories = (service: StartedService) => path.join(service.env.DATA_DIR as string, 'repositories');

/** A project's branches and tags as the database has them, one a line. */
export async function indexOf(service: StartedService, id: number): Promise<string> {
  const { rows } = await service.database.query<{ line: string }>(
    `select object_sha || ' ' || full_name as line from repository_refs where project_id = $1
      order by full_name collate "C"`,
    [id],
  );
  return rows.map(({ line }) => `${line}\n`).join('');
}

/** The same as git has them. */
export function getGit(service: StartedService, id: number): string {
  const format = '--format=%(objectname) %(refname)';
  const repository = repositoryPath(getRepositories(service), id);
  return plainGit(repository, ['for-each-ref', format, 'refs/heads', 'refs/tags']);
}

/** Waits until index and refs are equal; fails where they are not within ten seconds. */
export const equal = (service: StartedService, id: number) =>
  eventually(async () => (await indexOf(service, id)) === getGit(service, id), MENDED_SECONDS);

/** Kills the API process, which runs alone, and starts another. */
export async function killApi(service: StartedService): Promise<void> {
  const alive = service.children.filter(
    (child) => child.exitCode === null && child.signalCode === null && /api/.test(child.spawnargs.join(' ')),
  );
  for (const child of alive) {
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
  await service.startApi();
}
