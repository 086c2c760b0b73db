import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

import { lockDirectory, runningServices } from './claim.mjs';
import { attempt, digest, ensureDirectory, filesBelow, readIfThere, writeWhole } from './files.mjs';
import { linkDatabaseLibraries, packages, packagesOfPages } from './install.mjs';
import { takeLock } from './lock.mjs';
import { checkout, inCheckout, projectNode } from './runtime.mjs';
import { runBuildStep } from './steps.mjs';

/**
 * @import { Lock } from './lock.mjs'
 * @typedef {object} Product the result of building sources
 * @property {string} stamp a file in dist: a digest of the content of the sources it was built from, and in a second
 *   line of their names, sizes and times, so that content is only read after a file was touched
 * @property {() => string[]} files the sources, relative to the checkout
 * @property {(files: string[]) => string[]} outputs below dist: the required files
 * @property {RegExp} [copied] sources that are served verbatim: their copies in dist have the same path
 * @property {string[]} args of Node
 * @property {string} [cwd] the checkout by default
 * @property {string} progress shown while the build runs
 * @property {string} failure
 */

/** Where the sources of what runs are. */
export const serviceRoots = ['api', 'workers', 'shared', 'migrations'];
const webRoot = path.join('api', 'web');
/** The pages of `/help`. */
const helpRoot = path.join('api', 'help');
const helpPage = /\.md$/;
const dist = inCheckout('dist');
const tsc = inCheckout('node_modules', 'typescript', 'bin', 'tsc');

/**
 * The compiled sources. Each time every file is compiled, as that takes seconds without the types: nothing old is trusted to lie there.
 * @param {string[]} roots @param {string} stamp @param {string[]} config @returns {Product}
 */
export const compiled = (roots, stamp, config) => ({
  stamp,
  files: () => [
    ...sourcesIn(roots, /\.ts$/),
    ...sourcesIn([helpRoot], helpPage),
    'tsconfig.json',
    'tsconfig.service.json',
    'package-lock.json',
  ],
  outputs: (files) =>
    files.flatMap((file) => {
      if (helpPage.test(file)) return [file];
      return /(?<!\.d)\.ts$/.test(file) ? [`${file.slice(0, -3)}.js`] : [];
    }),
  copied: helpPage,
  args: [tsc, '-p', ...config, '--noCheck', '--incremental', 'false'],
  progress: 'Compiling',
  failure: 'The sources do not compile.',
});

export const service = compiled(serviceRoots, '.built', ['tsconfig.service.json']);

/** @type {Product} */
export const pages = {
  stamp: '.built-web',
  files: () => filesIn(webRoot),
  outputs: () => [path.join(webRoot, 'pages.json')],
  args: [inCheckout(webRoot, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'],
  cwd: inCheckout(webRoot),
  progress: 'Building the pages',
  failure: 'The pages do not build.',
};

/** @param {string} root */
const filesIn = (root) => filesBelow(inCheckout(root)).map((file) => `${root}/${file}`);

/** Sources in folders of the checkout, except those of the pages. @param {string[]} roots @param {RegExp} pattern */
export const sourcesIn = (roots, pattern) =>
  roots.flatMap(filesIn).filter((file) => pattern.test(file) && !file.startsWith(webRoot + path.sep));

/**
 * Installs and builds everything that a service needs and that is not up to date, one process at a time. Throws with
 * the reason on failure.
 */
export async function prepare() {
  if (packages.isInstalled(false) && isCurrent(service) && isCurrent(pages)) return;
  await locked(false, async (lock) => {
    const installed = packages.install(false, lock);
    const compiling = installed.then(() => make(service, lock));
    const building = isCurrent(pages) ? null : packagesOfPages.install(true, lock).then(() => installed);
    await all([compiling, building?.then(() => make(pages, lock))]);
    // They are many, and nothing that runs needs them: without development's packages they are there for the build only.
    if (building && !packages.isInstalled(true)) packagesOfPages.remove();
  });
}

/**
 * Installs and builds under the lock of the checkout.
 * @param {boolean} development which packages are installed @param {(lock: Lock) => Promise<void>} work
 */
export async function locked(development, work) {
  const result = await takeLock(lockDirectory, 'build', {}, ({ holder }) => {
    return `Waiting for another install or build in this checkout (pid ${holder.pid}) ...`;
  });
  if (!result) return;
  try {
    const [pid] = packages.isInstalled(development) || packages.isInstalled(false) ? [] : runningServices();
    // `npm ci` removes every dependency first, also those that a running service has yet to load.
    if (pid)
      throw new Error(`The dependencies changed, and a service runs from this checkout (pid ${pid}): stop it first.`);
    await work(result.lock);
    linkDatabaseLibraries();
  } finally {
    result.lock.release();
  }
}

/** Waits for all of them, also when one fails: none goes on behind our back. @param {unknown[]} steps */
export async function all(steps) {
  const failed = (await Promise.allSettled(steps)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/**
 * Builds a product unless it is up to date. Throws on failure; no stamp is left then, so the next attempt builds it
 * again.
 * @param {Product} product @param {Lock} lock the build lock @param {...Product} parts products built together with it
 */
export async function make(product, lock, ...parts) {
  if (isCurrent(product)) return;
  const { progress, failure, args, cwd = checkout } = product;
  // Computed before the build: files that change during it are built again.
  const stamps = [product, ...parts].map(({ stamp, files }) => ({ stamp, text: getStamp(files()) }));
  console.log(`${progress} ...`);
  for (const output of [product, ...parts]) forget(output);
  removeOrphans();
  const options = { cwd, lock, progress, failure: () => failure, output: dist };
  await runBuildStep(projectNode(), args, options);
  ensureDirectory(dist, 0o755);
  copySources(product);
  for (const { stamp, text } of stamps) writeWhole(path.join(dist, stamp), text);
}

/** Copies sources that are served verbatim. @param {Product} product */
function copySources({ files, copied }) {
  for (const file of files().filter((name) => copied?.test(name))) {
    ensureDirectory(path.join(dist, path.dirname(file)), 0o755);
    writeWhole(path.join(dist, file), readFileSync(inCheckout(file), 'utf8'));
  }
}

/** Makes the next build rebuild a product from scratch. @param {Product} product */
export const forget = ({ stamp }) => rmSync(path.join(dist, stamp), { force: true });

/** Whether a product is what its sources make. @param {Product} product */
export function isCurrent({ stamp, files, outputs }) {
  const file = path.join(dist, stamp);
  const [content, touched] = (readIfThere(file) ?? '').split('\n');
  if (!content) return false;
  const sources = files();
  const now = digestOfStats(sources);
  if (touched !== now) {
    if (content !== digestOfContent(sources)) return false;
    attempt(() => writeWhole(file, `${content}\n${now}`), null);
  }
  return outputs(sources).every((output) => existsSync(`${dist}/${output}`));
}

/** @param {string[]} files */
const getStamp = (files) => `${digestOfContent(files)}\n${digestOfStats(files)}`;

/** @param {string[]} files */
const digestOfContent = (files) => digest([...files, ...files.map((file) => readFileSync(inCheckout(file)))]);

/** @param {string[]} files */
function digestOfStats(files) {
  const stats = files.map((file) => statSync(`${checkout}/${file}`));
  return digest([...files, ...stats.map(({ size, ctimeMs }) => `${size} ${ctimeMs}`)]);
}

/** Removes compiled files whose source was deleted: a deleted test must not keep running. */
function removeOrphans() {
  const others = [webRoot, path.join('test', 'together'), 'api-types'];
  for (const file of filesIn('dist')) {
    const source = path.relative('dist', file).replace(/\.(js|js\.map|d\.ts)$/, '.ts');
    const isCompiled = source.includes(path.sep) && !others.some((other) => source.startsWith(other));
    if (isCompiled && !existsSync(inCheckout(source))) rmSync(inCheckout(file));
  }
}
