import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { sql } from 'kysely';
import { createLogger } from '../../../shared/core/log/log.js';
import { isPacked, keepRepository, looseObjects } from '../../../shared/git/index.js';
import { keepProject, RepositoryBusy } from '../../../shared/repositories/housekeeping/keep-project.js';
import { requestHousekeeping } from '../../../shared/repositories/housekeeping/request-housekeeping.js';
import { reindexRepository } from '../../../shared/repositories/housekeeping/reindex-repository.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit, temporaryFolder } from '../../git/git-fixture.js';
import { git } from '../git-http/git-client.js';
import { queryOne } from '../../core/query-one.js';

/** Errors of the service: a 500 response explains nothing. */
const errors: string[] = [];
const app = useApp(test, [], {
  log: createLogger('error', 'test', { output: { write: (line) => void errors.push(line) } }),
});
const DAY = 86_400_000;

const repositoryFor = (project: { id: number }) => getRepositoryPath(app.context(), project);
const getPacks = (repository: string) => readdirSync(path.join(repository, 'objects', 'pack'));
const loose = (repository: string) =>
  readdirSync(path.join(repository, 'objects')).filter((name) => /^[0-9a-f]{2}$/.test(name));
const whole = (repository: string) => plainGit(repository, ['fsck', '--connectivity-only', '--no-dangling']).trim();

/** Jobs of housekeeping that wait for a project. */
async function waiting(project: { id: number }): Promise<number> {
  const rows = await app.context().query(sql`
    select 1 from pgboss.job where name = 'repositories.maintain' and state < 'active'
       and (data ->> 'project_id')::bigint = ${project.id}`);
  return rows.length;
}

const writes = async (project: { id: number }) =>
  (
    await queryOne<{ n: number }>(
      app.context(),
      sql`
    select p.writes_since_upkeep as "n" from projects p where p.id = ${project.id}`,
    )
  )?.n;

/** Objects that nothing refers to, of some days ago. */
function unreachable(repository: string, text: string, days: number): string {
  const sha = plainGit(repository, ['hash-object', '-w', '--stdin'], text).trim();
  const at = new Date(Date.now() - days * DAY);
  utimesSync(path.join(repository, 'objects', sha.slice(0, 2), sha.slice(2)), at, at);
  return sha;
}

function has(repository: string, sha: string): boolean {
  try {
    plainGit(repository, ['cat-file', '-e', sha]);
    return true;
  } catch {
    return false;
  }
}

// Contract: git-http-5.housekeeping
test.serial(
  'after fifty writes a job packs the repository, with what makes clones quick, and counts anew',
  async (t) => {
    t.timeout(120_000);
    const project = await app.build.project({ visibility: 'public' });
    const owner = app.as(project.owner);
    const repository = repositoryFor(project);
    const commit = (name: string) =>
      owner.post(`/projects/${project.id}/repository/files/${name}`, {
        branch: 'main',
        commit_message: `Add ${name}`,
        content: name,
      });
    const before = (await writes(project)) as number;
    for (const name of ['a.txt', 'b.txt', 'c.txt']) await commit(name);
    t.is(await writes(project), before + 3);
    await app.context().query(sql`update projects set writes_since_upkeep = 49 where id = ${project.id}`);
    await app.work();
    t.is(await writes(project), 49);
    t.false(await isPacked(repository));
    t.is((await commit('fiftieth.txt')).status, 201);
    await app.work();
    t.is(await writes(project), 0);
    t.deepEqual(loose(repository), []);
    t.true(getPacks(repository).some((name) => name.endsWith('.bitmap')));
    t.true(existsSync(path.join(repository, 'objects', 'info', 'commit-graphs')));
    t.is(whole(repository), '');
    const folder = await temporaryFolder(t);
    const cloned = await git(['clone', '--quiet', `${app.url}/${project.full_path}.git`, path.join(folder, 'clone')]);
    t.is(cloned.code, 0, cloned.stderr);
    t.is((await commit('after.txt')).status, 201);
    t.is(await writes(project), 1);
  },
);

// Contract: git-http-5.housekeeping
test.serial('many loose objects, and a large repository that was never packed, are asked for once', async (t) => {
  const [crowded, large] = [await app.build.project(), await app.build.project()];
  const folder = path.join(repositoryFor(crowded), 'objects', '17');
  mkdirSync(folder, { recursive: true });
  const own = readdirSync(folder).length;
  for (let number = own; number < 26; number += 1) writeFileSync(path.join(folder, `${number}`.padStart(38, '0')), '');
  const ctx = app.context();
  await requestHousekeeping(ctx, crowded.id);
  t.is(await waiting(crowded), 0, `${await looseObjects(repositoryFor(crowded))}`);
  writeFileSync(path.join(folder, '26'.padStart(38, '0')), '');
  await requestHousekeeping(ctx, crowded.id);
  await requestHousekeeping(ctx, crowded.id);
  t.is(await waiting(crowded), 1);
  rmSync(folder, { recursive: true });
  await requestHousekeeping(ctx, large.id);
  t.is(await waiting(large), 0);
  await ctx.query(sql`
    update project_statistics set repository_size = ${11 * 1024 * 1024} where project_id = ${large.id}`);
  await requestHousekeeping(ctx, large.id);
  t.is(await waiting(large), 1);
  await keepProject(ctx, large.id);
  await ctx.query(sql`delete from pgboss.job where name = 'repositories.maintain'`);
  await requestHousekeeping(ctx, large.id);
  t.is(await waiting(large), 0);
});

// Contract: git-http-5.hard-links
test.serial('a large pack stays the same file as in a fork, and forks stay whole whatever is packed', async (t) => {
  t.timeout(120_000);
  const project = await app.build.project();
  const repository = repositoryFor(project);
  const blobs = Array.from({ length: 40 }, () => randomBytes(2000));
  const entries = blobs.map((blob, index) => {
    const sha = plainGit(repository, ['hash-object', '-w', '--stdin'], blob).trim();
    return `100644 blob ${sha}\t${index}.bin\n`;
  });
  const tree = plainGit(repository, ['mktree'], entries.join('')).trim();
  const commit = plainGit(repository, ['commit-tree', tree, '-p', 'refs/heads/main', '-m', 'Large']).trim();
  plainGit(repository, ['update-ref', 'refs/heads/main', commit]);
  await reindexRepository(app.context(), project.id);
  await keepProject(app.context(), project.id);
  const [pack] = getPacks(repository).filter((name) => name.endsWith('.pack'));
  const forked = await app.as(project.owner).post(`/projects/${project.id}/fork`, { name: 'Fork', path: 'forked' });
  await app.work();
  const fork = repositoryFor(forked.body);
  const inode = (repositoryPath: string) => statSync(path.join(repositoryPath, 'objects', 'pack', pack as string)).ino;
  t.is(inode(fork), inode(repository));
  const file = { branch: 'main', commit_message: 'x', content: 'x' };
  for (const id of [project.id, forked.body.id])
    t.is((await app.as(project.owner).post(`/projects/${id}/repository/files/new.txt`, file)).status, 201);
  await keepProject(app.context(), project.id);
  await keepProject(app.context(), forked.body.id);
  t.is(inode(fork), inode(repository), 'only what came since was packed');
  t.true(getPacks(repository).filter((name) => name.endsWith('.pack')).length > 1);
  t.is(await keepRepository(repository, { all: true }), 'all');
  t.false(getPacks(repository).includes(pack as string));
  t.is(whole(fork), '');
  t.is(whole(repository), '');
});

test.serial(
  'once a month all is packed anew: what nothing has referred to for two weeks goes, later things stay',
  async (t) => {
    const project = await app.build.project();
    const repository = repositoryFor(project);
    const [old, recent] = [unreachable(repository, 'old', 20), unreachable(repository, 'recent', 10)];
    t.is(await keepProject(app.context(), project.id), 'new');
    t.true(has(repository, old), 'a pack that grows keeps everything');
    for (const name of getPacks(repository)) {
      const at = new Date(Date.now() - 31 * DAY);
      if (name.endsWith('.pack')) utimesSync(path.join(repository, 'objects', 'pack', name), at, at);
    }
    const later = unreachable(repository, 'later', 10);
    t.is(await keepProject(app.context(), project.id), 'all');
    t.true(has(repository, later));
    t.false(has(repository, old));
    t.false(has(repository, recent), 'its pack was as old as that');
    t.is(await keepProject(app.context(), project.id), 'new');
    t.true(has(repository, later));
    t.is(whole(repository), '');
  },
);

test.serial(
  'a repository that another process packs is left to it, and one of a project that is gone is nothing',
  async (t) => {
    const project = await app.build.project();
    const file = path.join(repositoryFor(project), 'objects', 'pack', '.tmp-123-pack-abc.pack');
    writeFileSync(file, '');
    await t.throwsAsync(keepProject(app.context(), project.id), { instanceOf: RepositoryBusy });
    const early = new Date(Date.now() - 120_000);
    utimesSync(file, early, early);
    t.is(await keepProject(app.context(), project.id), 'new');
    t.is(await keepProject(app.context(), 999_999), null);
  },
);

test.serial('commits, clones and forks go on while a repository is packed', async (t) => {
  t.timeout(180_000);
  const project = await app.build.project({ visibility: 'public' });
  const owner = app.as(project.owner);
  const repository = repositoryFor(project);
  const folder = await temporaryFolder(t);
  let packing = true;
  const packs = (async () => {
    for (let round = 0; packing && round < 4; round += 1) await keepRepository(repository, { all: round % 2 === 1 });
  })();
  const commits = async (branch: string) => {
    for (let number = 0; number < 15; number += 1) {
      const start = number === 0 ? { start_branch: 'main' } : {};
      const file = { branch, ...start, commit_message: 'x', content: `${branch} ${number}` };
      const answer = await owner.post(`/projects/${project.id}/repository/files/${branch}-${number}.txt`, file);
      t.is(answer.status, 201, [answer.text, ...errors].join('\n'));
    }
  };
  const clones = async () => {
    for (let number = 0; number < 6; number += 1) {
      const into = path.join(folder, `clone-${number}`);
      const cloned = await git(['clone', '--quiet', `${app.url}/${project.full_path}.git`, into]);
      t.is(cloned.code, 0, cloned.stderr);
    }
  };
  const forks = async () => {
    for (let number = 0; number < 3; number += 1) {
      const name = `Fork ${number} of ${project.id}`;
      const fork = await owner.post(`/projects/${project.id}/fork`, { name, path: `fork-${number}-of-${project.id}` });
      await app.work();
      const { body } = await owner.get(`/projects/${fork.body.id}`);
      t.is(body.import_status, 'finished', String(body.import_error));
      t.is(whole(repositoryFor(fork.body)), '');
    }
  };
  await Promise.all([commits('one'), commits('two'), clones(), forks()]).finally(() => {
    packing = false;
  });
  await packs;
  t.is(whole(repository), '');
});
