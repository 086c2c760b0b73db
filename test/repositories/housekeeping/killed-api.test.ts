import { readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { repositoryPath } from '../../../shared/git/index.js';
import { plainGit } from '../../git/git-fixture.js';
import { eventually, startService } from '../../core/processes.js';
import type { StartedService } from '../../core/processes.js';
import { equal, getGit, indexOf, killApi, KILLS, LONG, getRepositories } from './killed-service.js';

// A long test: processes are killed and waited for.
// A process of its own: processes are killed and waited for.

const PROJECTS = LONG ? 6 : 3;
const commit = (branch: string, file: string, start?: string) => ({
  branch,
  ...(start === undefined ? {} : { start_branch: start }),
  commit_message: `Add ${file}`,
  actions: [{ action: 'create', file_path: file, content: file }],
});

/** Holds whatever writes to a table, before or after git has moved: in its statement, or when it is committed. */
async function holdWrites(service: StartedService, killPoint: 'statement' | 'commit') {
  const when = killPoint === 'statement' ? 'trigger' : 'constraint trigger';
  const deferred = killPoint === 'statement' ? '' : 'deferrable initially deferred';
  await service.database.query(`
    create or replace function hold_write() returns trigger language plpgsql as $$
      begin perform pg_sleep(60); return null; end $$;
    create ${when} hold_write after insert or update on repository_refs ${deferred}
      for each row execute function hold_write()`);
}

/** Ends the blocked sessions, as the server does when it finds that a client has disconnected. */
async function endHeld(service: StartedService) {
  await service.database.query(`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and wait_event = 'PgSleep'`);
  await service.database.query('drop trigger hold_write on repository_refs');
}

const held = (service: StartedService) =>
  eventually(async () => {
    const { rows } = await service.database.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
    );
    return rows.length > 0;
  });

/** A project whose API process is killed while a commit to it is blocked. @returns its id */
async function killAt(t: ExecutionContext, service: StartedService, killPoint: 'statement' | 'commit', empty: boolean) {
  const params = { name: `Killed at ${killPoint} ${empty ? 'empty' : 'full'}`, initialize_with_readme: !empty };
  const { id } = (await service.root.post('/projects', params)).body;
  await holdWrites(service, killPoint);
  const lost = service.root.post(`/projects/${id}/repository/commits`, commit('main', 'lost.txt'));
  lost.catch(() => undefined);
  await held(service);
  await killApi(service);
  await endHeld(service);
  await t.throwsAsync(lost);
  return id as number;
}

// Contract: git-http-5.crash
test.serial('an API that dies in the midst of a write leaves what git has, within ten seconds', async (t) => {
  t.timeout(180_000);
  const service = await startService(t, { workers: 0 });
  service.database.on('error', () => undefined);
  const before = await killAt(t, service, 'statement', false);
  const between = [await killAt(t, service, 'commit', false), await killAt(t, service, 'commit', true)];
  for (const id of between) t.not(await indexOf(service, id), getGit(service, id), 'they are apart');
  t.is(await indexOf(service, before), getGit(service, before));
  await service.startWorker();
  for (const id of between) {
    await equal(service, id);
    const { body } = await service.root.get(`/projects/${id}/repository/commits`);
    t.is(body[0].title, 'Add lost.txt');
  }
  const { body } = await service.root.get(`/projects/${before}/repository/commits`);
  t.deepEqual(
    body.map(({ title }: { title: string }) => title),
    ['Initial commit'],
    'git had not moved yet',
  );
  for (const id of [before, ...between]) {
    const later = await service.root.post(`/projects/${id}/repository/commits`, commit('main', 'later.txt'));
    t.is(later.status, 201, later.text);
  }
});

/** Writes to a project until stopped: commits, branches, tags and their deletion. */
async function keepWriting(service: StartedService, id: number, writing: { go: boolean; done: number }) {
  for (let round = 0; writing.go; round += 1) {
    const url = `/projects/${id}/repository`;
    const writes = [
      () => service.root.post(`${url}/commits`, commit('main', `${round}-${Math.random()}.txt`)),
      () => service.root.post(`${url}/commits`, commit(`story-${round}`, 'x.txt', 'main')),
      () => service.root.post(`${url}/tags`, { tag_name: `v${round}`, ref: 'main' }),
      () => service.root.delete(`${url}/branches/story-${round - 1}`),
    ];
    for (const write of writes) {
      // While no API answers there is nothing to be done.
      const answer = await write().catch(() => pause(20));
      if (answer && answer.status < 300) writing.done += 1;
    }
  }
}

// Contract: git-http-5.kills
test.serial(
  'the API is killed at random while refs move: index and refs are equal, and nothing half there',
  async (t) => {
    t.timeout(LONG ? 3_600_000 : 180_000);
    const service = await startService(t);
    service.database.on('error', () => undefined);
    const ids: number[] = [];
    for (let number = 0; number < PROJECTS; number += 1) {
      const project = { name: `Sturdy ${number}`, initialize_with_readme: number % 2 === 0 };
      ids.push((await service.root.post('/projects', project)).body.id as number);
    }
    const writing = { go: true, done: 0 };
    const writers = ids.map((id) => keepWriting(service, id, writing));
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = writing.done;
      await eventually(async () => Promise.resolve(writing.done > before));
      await pause(Math.random() * 400);
      await killApi(service);
    }
    writing.go = false;
    await Promise.all(writers);
    for (const id of ids) {
      await equal(service, id);
      t.is(
        plainGit(repositoryPath(getRepositories(service), id), ['fsck', '--connectivity-only', '--no-dangling']).trim(),
        '',
        `${id}`,
      );
      const answer = await service.root.post(`/projects/${id}/repository/commits`, commit('main', 'at-the-end.txt'));
      t.is(answer.status, 201, answer.text);
    }
    const notes = readdirSync(path.join(getRepositories(service), '.moving'));
    t.log(`${writing.done} writes, ${KILLS} kills, ${notes.length} notes are still to be looked at once more`);
  },
);
