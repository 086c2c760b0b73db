import { registerHooks } from 'node:module';
import test from 'ava';
import { FileRun } from './file-run.js';
import { note } from './journal.js';
import type { TestFile } from './test-file.js';
import { testFile } from './test-file.js';

const root = new URL('../../', import.meta.url).href;
const standIn = new URL('./ava-of-file.js', import.meta.url).href;

const getName = (url: string) => url.slice(root.length).replace(/\.test\.js$/, '');

/** Gives each test file its own `test`, which records the file's declarations. */
function standInForAva(): void {
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'ava' && context.parentURL?.endsWith('.test.js') && context.parentURL.startsWith(root)
        ? { url: `${standIn}?${getName(context.parentURL)}`, shortCircuit: true }
        : next(specifier, context),
  });
}

const titleIn = (file: TestFile, title: string) => `${file.name.replaceAll('/', ' › ')} › ${title}`;

/**
 * Runs test files one after the other in this process, as one file of AVA's: what they import is loaded and warm after
 * the first.
 * @param names relative to the tests' folder, such as `groups/group-list`
 */
export async function runFiles(names: readonly string[]): Promise<void> {
  standInForAva();
  note({ type: 'share', files: names });
  const loaded: TestFile[] = [];
  for (const name of names) {
    const file = testFile(name);
    try {
      await import(`${root}${name}.test.js`);
      if (file.tests.length === 0) throw new Error(`${name} declares no tests.`);
    } catch (error) {
      // The others of the process are worth running all the same.
      file.tests.splice(0, Infinity, {
        title: 'is loaded',
        serial: false,
        skipped: false,
        run: () => Promise.reject(error as Error),
      });
      for (const hooks of Object.values(file.hooks)) hooks.length = 0;
    }
    loaded.push(file);
  }
  let previous = Promise.resolve();
  for (const file of loaded) {
    const run = new FileRun(file, previous, note);
    for (const declared of file.tests) {
      const title = titleIn(file, declared.title);
      if (declared.skipped) test.skip(title, (t) => t.fail());
      else test(title, (t) => run.run(declared, t));
    }
    previous = run.done;
  }
}
