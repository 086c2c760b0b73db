import { once } from 'node:events';
import path from 'node:path';
import test from 'ava';
import { repositoryPath } from '../../../shared/git/index.js';
import { eventually, startService } from '../../core/processes.js';
import type { StartedService } from '../../core/processes.js';
import { plainGit } from '../../git/git-fixture.js';

// A long test: processes are killed and waited for.
// A process of its own: processes are killed and waited for.

/** Kills the API process, which runs alone, and starts another. */
async function killApi(service: StartedService): Promise<void> {
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

type KillPoint = 'statement' | 'commit';

/** Holds whatever merges: before git has moved, in its statement, or after it, when it is committed. */
async function holdMerges(service: StartedService, killPoint: KillPoint) {
  const when = killPoint === 'statement' ? 'trigger' : 'constraint trigger';
  const deferred = killPoint === 'statement' ? '' : 'deferrable initially deferred';
  await service.database.query(`
    create or replace function hold_merge() returns trigger language plpgsql as $$
      begin if new.state = 'merged' then perform pg_sleep(60); end if; return null; end $$;
    create ${when} hold_merge after update on merge_requests ${deferred}
      for each row execute function hold_merge()`);
}

/** Ends the blocked sessions, as the server does when it finds that a client has disconnected. */
async function endHeld(service: StartedService) {
  await service.database.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event = 'PgSleep'`);
  await service.database.query('drop trigger hold_merge on merge_requests');
}

const held = (service: StartedService) =>
  eventually(async () => {
    const { rows } = await service.database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
    );
    return rows.length > 0;
  });

/** A merge request of two commits. @returns the path of its project, its own, and the repository */
async function request(service: StartedService, name: string) {
  const { id } = (await service.root.post('/projects', { name, initialize_with_readme: true })).body;
  for (const [index, file] of ['one.txt', 'two.txt'].entries()) {
    const { status, text } = await service.root.post(`/projects/${id}/repository/commits`, {
      branch: 'story',
      ...(index === 0 ? { start_branch: 'main' } : {}),
      commit_message: `Add ${file}`,
      actions: [{ action: 'create', file_path: file, content: file }],
    });
    if (status !== 201) throw new Error(text);
  }
  const attributes = { source_branch: 'story', target_branch: 'main', title: 'Story' };
  const { body } = await service.root.post(`/projects/${id}/merge_requests`, attributes);
  const repository = repositoryPath(path.join(service.env.DATA_DIR as string, 'repositories'), id as number);
  const main = () => plainGit(repository, ['rev-parse', 'refs/heads/main']).trim();
  return { url: `/projects/${id}/merge_requests/${body.iid}`, main };
}

// Contract: merging-7.killed
test.serial('an API that dies in the midst of a merge leaves it done in both stores, or in none', async (t) => {
  t.timeout(240_000);
  const service = await startService(t, { workers: 0 });
  service.database.on('error', () => undefined);
  const killed = [];
  for (const killPoint of ['statement', 'commit'] as const)
    for (const squash of [false, true]) {
      const { url, main } = await request(service, `Killed at ${killPoint} ${squash}`);
      const before = main();
      await holdMerges(service, killPoint);
      const lost = service.root.put(`${url}/merge`, { squash });
      lost.catch(() => undefined);
      await held(service);
      await killApi(service);
      await endHeld(service);
      await t.throwsAsync(lost);
      t.is(main() === before, killPoint === 'statement', 'git has moved by the commit');
      t.is((await service.root.get(url)).body.state, 'opened');
      killed.push({ url, main, killPoint, squash });
    }
  await service.startWorker();
  for (const { url, main, killPoint, squash } of killed) {
    const state = killPoint === 'statement' ? 'opened' : 'merged';
    await eventually(async () => {
      const { body } = await service.root.get(url);
      return body.state === state && (state === 'opened' || body.merge_user !== null);
    });
    const { body } = await service.root.get(url);
    if (state === 'merged') {
      t.is(body.merge_commit_sha, main());
      t.is(body.squash_commit_sha !== null, squash);
      t.is(body.merge_user.username, 'root');
      t.is((await service.root.put(`${url}/merge`)).status, 405);
    } else t.is((await service.root.put(`${url}/merge`, { squash })).status, 200);
  }
});
