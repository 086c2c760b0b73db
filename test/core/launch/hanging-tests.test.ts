import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { Installation } from './installation.js';
import type { Note } from '../one-process/journal.js';

// A process of its own: runs tests of which one hangs.

interface Process {
  pid: number;
  file: string;
  open: Set<string>;
  waiting: string[];
}

interface Journal {
  read(line: string): void;
  pass(ms: number): void;
  silent(): Process[];
  slowest(count: number): string[];
}

const runner = <T>(file: string): Promise<T> =>
  import(pathToFileURL(path.resolve(`test/runner/${file}`)).href) as Promise<T>;

async function journal(timeoutMs: number): Promise<Journal> {
  const { TestJournal } = await runner<{ TestJournal: new (timeoutMs: number) => Journal }>('test-journal.mjs');
  return new TestJournal(timeoutMs);
}

test('of a process that runs several files, the file that hangs is named, and those that it would lose', async (t) => {
  const testJournal = await journal(60_000);
  const note = (at: number, entry: Note) => testJournal.read(JSON.stringify({ pid: 7, at, ...entry }));
  note(0, { type: 'process', file: path.resolve('dist/test/together/1.test.js') });
  note(0, { type: 'share', files: ['a/one', 'a/two', 'b/three'] });
  note(1000, { type: 'file began', file: 'a/one', titles: ['first', 'second'] });
  note(2000, { type: 'ended', file: 'a/one', title: 'first', ms: 1000 });
  note(4500, { type: 'ended', file: 'a/one', title: 'second', ms: 2500 });
  note(4600, { type: 'file ended', file: 'a/one' });
  note(5000, { type: 'file began', file: 'a/two', titles: ['third', 'fourth', 'fifth'] });
  note(6000, { type: 'ended', file: 'a/two', title: 'fourth', ms: 10 });
  testJournal.pass(60_000);
  t.deepEqual(testJournal.silent(), []);
  testJournal.pass(1);
  const [hung, ...more] = testJournal.silent();
  t.deepEqual(more, []);
  t.is(hung?.file, 'test/a/two.test.ts');
  t.deepEqual([...(hung?.open ?? [])], ['third', 'fifth']);
  t.deepEqual(hung?.waiting, ['test/b/three.test.ts']);
  t.deepEqual(testJournal.slowest(2), [
    'The slowest files:',
    '     3.6 s  test/a/one.test.ts',
    'The slowest tests:',
    '     2.5 s  test/a/one.test.ts › second',
    '     1.0 s  test/a/one.test.ts › first',
  ]);
});

test('a test that asks for more time has it', async (t) => {
  const testJournal = await journal(60_000);
  const note = (at: number, entry: Note) => testJournal.read(JSON.stringify({ pid: 7, at, ...entry }));
  note(0, { type: 'process', file: path.resolve('dist/test/a/one.test.js') });
  note(0, { type: 'declared', title: 'long' });
  testJournal.pass(1000);
  note(1000, { type: 'timeout', ms: 180_000 });
  testJournal.pass(180_000);
  t.is(testJournal.silent().length, 0);
  testJournal.pass(1);
  t.is(testJournal.silent().length, 1);
});

test('time counts by the part of it that each process can run', async (t) => {
  const { processorShare } = await runner<{
    processorShare(running?: number, processors?: number): number;
  }>('processor-share.mjs');
  t.is(processorShare(0, 2), 1);
  t.is(processorShare(2, 2), 1);
  t.is(processorShare(8, 2), 0.25);
  const now = processorShare();
  t.true(now > 0 && now <= 1, String(now));
});

test.serial('a file that hangs is ended and named with what has not finished, and the others go on', async (t) => {
  // On a busy machine it takes longer to find that they hang.
  t.timeout(600_000);
  const installation = new Installation();
  t.teardown(() => installation.remove());
  const folder = path.join(installation.checkout, 'dist', 'test', 'hanging');
  mkdirSync(folder);
  const write = (name: string, text: string) =>
    writeFileSync(path.join(folder, `${name}.test.js`), `import test from 'ava';\n${text}`);
  write('fine', `test('is fine', (t) => t.pass());`);
  write(
    'stuck',
    `test('ends', (t) => t.pass());\ntest('never ends', (t) => new Promise(() => setInterval(t.pass, 1e6)));`,
  );
  write('blocked', `test('blocks', (t) => { t.pass(); for (;;); });`);
  write('open', `setInterval(() => {}, 1000);\ntest('leaves a timer', (t) => t.pass());`);
  const args = ['stuck', 'blocked', 'open', 'fine'].map((name) => `dist/test/hanging/${name}.test.js`);
  const run = installation.begin({ CAPSTAN_TEST_SILENCE: '6' }, undefined, { script: 'test', args });
  t.is(await run.exitCode(), 1, run.said);
  const hangs = (name: string) =>
    `^✘ test/hanging/${name}\\.test\\.ts hangs: nothing for 6 s\\. Its process \\(pid \\d+\\) was killed\\.`;
  t.regex(run.said, new RegExp(`${hangs('stuck')} Not finished:\\n    never ends$`, 'm'));
  t.regex(run.said, new RegExp(`${hangs('blocked')} Not finished:\\n    blocks$`, 'm'));
  t.regex(run.said, /✔ fine › is fine/);
  t.regex(run.said, /The slowest files:[^]*The slowest tests:/);
  t.regex(
    run.said,
    /What went wrong beside the tests:\n[^]*✘ test\/hanging\/stuck[^]*open\.test\.ts left something open/,
  );
  t.regex(run.said, /\n3 passed, 2 failed\n$/);
});
