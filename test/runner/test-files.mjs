import { readFileSync } from 'node:fs';
import path from 'node:path';

import { ensureDirectory, filesBelow, readIfThere, writeWhole } from '#launch/files.mjs';
import { inCheckout } from '#launch/runtime.mjs';

const sources = inCheckout('test');
const root = inCheckout('dist', 'test');
/** What runs many files in one process, which has no source. */
const together = path.join(root, 'together');

/** About as many files run in one process: fewer load everything more often, more leave one core idle at the end. */
const filesPerProcess = 14;

/** Two run at a time: fewer would leave a core idle. */
const leastProcesses = 2;

/** The comment that requests a separate process for a file; the reason follows. */
const aloneMark = /^\/\/ A process of its own: /m;

/** The comment that marks a file as slow, such as one that tests everything or kills processes; the reason follows. */
const longMark = /^\/\/ A long test: /m;

/** Folders of slow tests with their own command: in a browser, of installation and startup, and with gitlab-runner. */
/** @type {Record<string, string>} */
const folders = {
  web: 'web',
  launch: path.join('core', 'launch'),
  runner: path.join('runner-suite', 'gitlab-runner'),
};

/** Suites with their own command; all other tests are run by `npm test`. */
const suites = [...Object.keys(folders), 'long'];

/** The suite of a file, null for most. @param {string} file relative to the tests' folder */
function getSuite(file) {
  const [inFolder = null] = Object.keys(folders).filter((name) => file.startsWith(`${folders[name]}${path.sep}`));
  return inFolder ?? (longMark.test(readFileSync(path.join(sources, file), 'utf8')) ? 'long' : null);
}

/**
 * Deals tests out to processes, and writes a file for each that runs its share (decision 21).
 *
 * @param {string | null} suite one that has a command of its own; null for all tests that are in none of them
 * @returns {string[]} what AVA is to run: files that have a process each, then files that run others
 */
export function dealOutTests(suite) {
  if (suite !== null && !suites.includes(suite))
    throw new Error(`There is no suite ${suite}; there are ${suites.join(', ')}.`);
  const names = filesBelow(sources).filter((file) => file.endsWith('.test.ts') && getSuite(file) === suite);
  return dealOut(names.map((file) => path.join('test', file)));
}

/**
 * Deals some tests out.
 *
 * @param {string[]} sourceFiles such as `test/tenancy/groups/groups.test.ts`
 */
export function dealOut(sourceFiles) {
  const files = sourceFiles.map((file) => ({
    name: path.relative('test', file).replace(/\.test\.ts$/, ''),
    text: readFileSync(inCheckout(file), 'utf8'),
  }));
  const alone = files.filter(({ text }) => aloneMark.test(text));
  const shares = deal(files.filter((file) => !alone.includes(file)));
  return [...alone.map(({ name }) => path.join(root, `${name}.test.js`)), ...shares.map(writeShare)];
}

/** The longest first, each to the share that has least: what takes long is long. @param {{ name: string, text: string }[]} files */
function deal(files) {
  const count = Math.min(Math.max(Math.ceil(files.length / filesPerProcess), leastProcesses), files.length);
  const shares = Array.from({ length: count }, () => ({ size: 0, names: /** @type {string[]} */ ([]) }));
  for (const { name, text } of [...files].sort((one, other) => other.text.length - one.text.length)) {
    const least = shares.reduce((one, other) => (other.size < one.size ? other : one));
    least.names.push(name);
    least.size += text.length;
  }
  return shares.map(({ names }) => names.sort());
}

/** @param {string[]} names @param {number} index */
function writeShare(names, index) {
  const file = path.join(together, `${index + 1}.test.js`);
  const text = `import { runFiles } from '../core/one-process/run-files.js';\n\nawait runFiles(${JSON.stringify(names)});\n`;
  ensureDirectory(together, 0o755);
  // Another run in this checkout may be reading it.
  if (readIfThere(file) !== text) writeWhole(file, text);
  return file;
}
