import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { sql } from 'kysely';
import { sweepAll } from '../../../shared/repositories/housekeeping/sweep-leftovers.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { useApp } from '../../core/app.js';
import { plainGit } from '../../git/git-fixture.js';
import { getGit } from './index-and-git.js';

const app = useApp(test);
const HOUR = 3_600_000;

const ago = (hours: number) => new Date(Date.now() - hours * HOUR);

/** A file that was last written to so many hours ago, in a folder as old. */
function leave(file: string, hours: number): string {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'half');
  utimesSync(file, ago(hours), ago(hours));
  return file;
}

/** A folder with a file in it, of so many hours ago. */
function leaveFolder(folder: string, hours: number): string {
  leave(path.join(folder, 'pack', 'tmp_pack_abc'), hours);
  utimesSync(path.join(folder, 'pack'), ago(hours), ago(hours));
  utimesSync(folder, ago(hours), ago(hours));
  return folder;
}

/** Everything that a process which dies may leave, of so many hours ago. */
function leavings(project: { id: number }, hours: number, mark: string): string[] {
  const repository = getRepositoryPath(app.context(), project);
  const { dataDir } = app.services.config;
  return [
    leaveFolder(path.join(dataDir, 'incoming', `request-${mark}`), hours),
    leaveFolder(`${repository}.new-${mark}`, hours),
    leaveFolder(`${repository}.draft-${mark}`, hours),
    leaveFolder(path.join(path.dirname(repository), `.removed-${mark}`), hours),
    leaveFolder(path.join(repository, 'objects', `quarantine-${mark}`), hours),
    leaveFolder(path.join(repository, 'objects', `tmp_objdir-${mark}`), hours),
    leaveFolder(path.join(repository, 'objects', `incoming-${mark}`), hours),
    leave(path.join(repository, 'objects', 'pack', `tmp_pack_${mark}`), hours),
    leave(path.join(repository, 'objects', 'pack', `.tmp-12-pack-${mark}.pack`), hours),
    leave(path.join(repository, 'refs', 'heads', 'story', `${mark}.lock`), hours),
  ];
}

// Contract: git-http-5.leftovers
test.serial('what processes left that died over an hour ago is removed, and what lives stays', async (t) => {
  const project = await app.build.project();
  const repository = getRepositoryPath(app.context(), project);
  await app.as(project.owner).post(`/projects/${project.id}/repository/branches`, { branch: 'story/1', ref: 'main' });
  const before = getGit(app, project);
  const [old, young] = [leavings(project, 2, 'old'), leavings(project, 0.5, 'young')];
  const locked = leave(path.join(repository, 'packed-refs.lock'), 2);
  // A push goes on: its folder is old, what it writes is not.
  const pushing = leaveFolder(path.join(repository, 'objects', 'quarantine-pushing'), 2);
  writeFileSync(path.join(pushing, 'pack', 'tmp_pack_abc'), 'more');
  const swept = await sweepAll(app.context());
  t.deepEqual(
    [...old, locked].filter((file) => existsSync(file)),
    [],
  );
  t.deepEqual(
    [...young, pushing].filter((file) => !existsSync(file)),
    [],
  );
  t.is(swept.removed, old.length + 1);
  t.is(getGit(app, project), before);
  t.is(plainGit(repository, ['fsck', '--no-dangling']).trim(), '');
});

test.serial('a draft that an import may still write to stays, however long ago it did', async (t) => {
  const project = await app.build.project({ empty: true });
  const ctx = app.context();
  await ctx.query(sql`update projects set import_status = 'started' where id = ${project.id}`);
  const draft = leaveFolder(`${getRepositoryPath(ctx, project)}.draft-1`, 5);
  await sweepAll(ctx);
  t.true(existsSync(draft));
  await ctx.query(sql`update projects set import_status = 'failed' where id = ${project.id}`);
  await sweepAll(ctx);
  t.false(existsSync(draft));
});
