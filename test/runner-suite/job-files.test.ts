import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { buildsName, removeLeftBuilds, removeTree, writeFresh } from '../../shared/runner/job-files.js';

const ID = 's_0123456789ab';

function makeBase(t: ExecutionContext): string {
  const base = mkdtempSync(path.join(tmpdir(), 'job-files-'));
  t.teardown(() => rmSync(base, { recursive: true, force: true }));
  return base;
}

test('a start removes what killed runners of its own left, and nothing of others', (t) => {
  const base = makeBase(t);
  const ended = spawnSync('true').pid;
  const make = (name: string) => {
    mkdirSync(path.join(base, name, 'builds'), { recursive: true });
    return path.join(base, name);
  };
  const left = make(`${buildsName(ID, ended)}aaaaaa`);
  const former = make(`${buildsName(ID, process.pid)}bbbbbb`);
  const remaining = [
    make(`${buildsName(ID, process.pid)}cccccc`),
    make(`${buildsName(ID, process.ppid)}dddddd`),
    make(`${buildsName('s_ba9876543210', ended)}eeeeee`),
    make('capstan-runner'),
  ];
  removeLeftBuilds(base, ID, remaining[0] ?? '');
  t.deepEqual([left, former].filter(existsSync), []);
  t.deepEqual(remaining.filter(existsSync), remaining);
});

test('a tree is removed with what its owner may not write to; links are not followed', (t) => {
  const base = makeBase(t);
  const [tree, outside] = [path.join(base, 'tree'), path.join(base, 'outside')];
  mkdirSync(path.join(tree, 'a', 'b'), { recursive: true });
  mkdirSync(outside);
  writeFileSync(path.join(tree, 'a', 'b', 'file'), '');
  symlinkSync(outside, path.join(tree, 'link'));
  for (const directory of ['a/b', 'a']) chmodSync(path.join(tree, directory), 0o500);
  removeTree(tree);
  t.false(existsSync(tree));
  t.true(existsSync(outside));
  t.notThrows(() => removeTree(tree));
});

test('a file is written anew whatever is in its place', (t) => {
  const base = makeBase(t);
  const [file, target] = [path.join(base, 'file'), path.join(base, 'target')];
  writeFileSync(target, 'of others');
  symlinkSync(target, file);
  writeFresh(file, 'own');
  t.is(readFileSync(file, 'utf8'), 'own');
  t.is(readFileSync(target, 'utf8'), 'of others');
  removeTree(file);
  mkdirSync(file);
  writeFresh(file, 'own');
  t.is(readFileSync(file, 'utf8'), 'own');
});
