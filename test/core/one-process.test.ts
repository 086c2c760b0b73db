import type { ExecutionContext } from 'ava';
import test from 'ava';
import { FileRun } from './one-process/file-run.js';
import { TestFile } from './one-process/test-file.js';

/** A file whose tests and hooks record their execution, interleaved with other running files. */
function diary(name: string, entries: string[]) {
  const file = new TestFile(name);
  const write = (text: string) => async (): Promise<void> => {
    entries.push(`${text} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    entries.push(`${text} ends`);
  };
  return { file, write };
}

/** Runs files as AVA runs tests: all at once, each with its teardowns behind it, in reverse order. */
async function runAll(files: readonly TestFile[]): Promise<(string | null)[]> {
  let previous = Promise.resolve();
  const results: Promise<string | null>[] = [];
  for (const file of files) {
    const run = new FileRun(file, previous);
    previous = run.done;
    for (const declared of file.tests.filter(({ skipped }) => !skipped)) {
      const teardowns: (() => unknown)[] = [];
      const t = { teardown: (work: () => unknown) => teardowns.unshift(work) } as unknown as ExecutionContext;
      const result = run.run(declared, t).then(
        () => null,
        (error: Error) => error.message,
      );
      results.push(
        result.then(async (failure) => {
          for (const work of teardowns) await work();
          return failure;
        }),
      );
    }
  }
  return Promise.all(results);
}

test('of a file that shares its process hooks, serial tests and all others run in the order that AVA keeps', async (t) => {
  const entries: string[] = [];
  const { file, write } = diary('one', entries);
  const { chain } = file;
  chain('left', write('left'));
  chain('right', write('right'));
  chain.serial('second', write('first'));
  chain.serial('third', write('second'));
  chain.skip('skipped', write('skipped'));
  chain.serial.before('start', write('start'));
  chain.after.always('stop', write('stop'));
  t.deepEqual(await runAll([file]), [null, null, null, null]);
  const serial = ['start', 'first', 'second'].flatMap((text) => [`${text} begins`, `${text} ends`]);
  t.deepEqual(entries.slice(0, 6), serial);
  t.deepEqual(entries.slice(6, 8), ['left begins', 'right begins'], 'at the same time');
  t.deepEqual(entries.slice(-2), ['stop begins', 'stop ends']);
  t.is(entries.length, 12);
});

test('a file begins when the one before it is over, teardowns of its tests included, also when a test failed', async (t) => {
  const entries: string[] = [];
  const { file: one, write } = diary('one', entries);
  const { file: two } = diary('two', entries);
  one.chain('fails', (context) => {
    context.teardown(write('teardown'));
    throw new Error('broken');
  });
  one.chain.after.always('stop', write('stop'));
  two.chain('goes on', write('next'));
  t.deepEqual(await runAll([one, two]), ['broken', null]);
  t.deepEqual(
    entries.filter((line) => line.endsWith('begins')),
    ['teardown begins', 'stop begins', 'next begins'],
  );
});

test('a hook that fails before a file fails each of its tests, and those of no other file', async (t) => {
  const entries: string[] = [];
  const { file: one, write } = diary('one', entries);
  const { file: two } = diary('two', entries);
  one.chain.before('start', () => Promise.reject(new Error('no database')));
  one.chain('a', write('a'));
  one.chain.serial('b', write('b'));
  two.chain('c', write('c'));
  t.deepEqual(await runAll([one, two]), ['no database', 'no database', null]);
  t.deepEqual(entries, ['c begins', 'c ends']);
});

test('what is run before and after each test is run for each, and a title is used once', async (t) => {
  const entries: string[] = [];
  const { file, write } = diary('one', entries);
  file.chain.serial.beforeEach(write('before'));
  file.chain.serial.afterEach.always(write('after'));
  file.chain.serial('a', write('a'));
  file.chain.serial('b', write('b'));
  t.throws(() => file.chain('a', write('a')), { message: 'Duplicate test title: a' });
  await runAll([file]);
  t.deepEqual(
    entries.filter((line) => line.endsWith('ends')),
    ['before ends', 'a ends', 'after ends', 'before ends', 'b ends', 'after ends'],
  );
});
