import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { newObject, storeObjects } from '../../shared/git/pack.js';
import { emptyRepository } from './git-fixture.js';

const runProgram = promisify(execFile);
const ROUNDS = 120;

// Contract: git-http-5.housekeeping
test('no object is lost while housekeeping removes empty folders of objects', async (t) => {
  t.timeout(120_000);
  const repository = await emptyRepository(t);
  let isBusy = true;
  const removeFolders = async () => {
    while (isBusy) await runProgram('git', ['--git-dir', repository, 'prune-packed']);
  };
  const removing = [removeFolders(), removeFolders()];
  for (let round = 0; round < ROUNDS; round += 1) {
    const objects = Array.from({ length: 4 }, () => newObject('blob', randomBytes(20)));
    await storeObjects(repository, objects);
    for (const { sha } of objects) {
      const path = join(repository, 'objects', sha.slice(0, 2), sha.slice(2));
      t.true(existsSync(path), `${sha} in round ${round}`);
      // So that its folder is empty again.
      rmSync(path, { force: true });
    }
  }
  isBusy = false;
  await Promise.all(removing);
});
