import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { digest, ensureDirectory, filesBelow, readIfThere, writeWhole } from './files.mjs';
import { failureOf } from './full-disk.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { runHeardStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';

const serviceRoots = ['api', 'workers', 'shared', 'migrations'];
/** Where the sources are that the compiler reads. */
export const roots = [...serviceRoots, 'test'];
const serviceConfig = 'tsconfig.service.json';
const webRoot = path.join('api', 'web');
/** Below dist: what runs many test files in one process (`test-files.mjs`), which has no source. */
export const testShares = path.join('test', 'together');
/** Digests of the sources from which dist was written, the tests apart, and with whose types nothing was wrong. */
const stamps = {
  service: inCheckout('dist', '.built'),
  tests: inCheckout('dist', '.built-tests'),
  types: inCheckout('dist', '.checked'),
  pages: inCheckout('dist', '.built-web'),
};
const compiler = inCheckout('node_modules', 'typescript', 'bin', 'tsc');

/**
 * Whether dist is what the sources compile to.
 *
 * @param {boolean} development whether the tests too, and every type was checked
 */
export function serverIsBuilt(development) {
  if (!development) return isWritten('service', sourcesIn(serviceRoots));
  const sources = sourcesIn(roots);
  return isWritten('tests', sources) && isCurrent('types', serverDigest(sources));
}

/**
 * Compiles what is not up to date. Throws when it doesn't compile; then no stamp is left, so the next try compiles again.
 *
 * @param {boolean} development as above
 * @param {import('./lock.mjs').Lock} lock the build lock
 */
export async function buildServer(development, lock) {
  await (development
    ? write('tests', roots, 'tsconfig.json', lock)
    : write('service', serviceRoots, serviceConfig, lock));
  if (development) await checkTypes(lock);
}

/** Each compilation writes everything, as that takes seconds without the types: nothing old is trusted to lie there. */
async function write(name, writtenRoots, config, lock) {
  const sources = sourcesIn(writtenRoots);
  if (isWritten(name, sources)) return;
  const [wanted, wantedOfService] = [sources, sourcesIn(serviceRoots)].map(serverDigest);
  console.log('Compiling ...');
  forgetBuilt();
  removeOrphans(writtenRoots);
  await compile([config, '--noCheck', '--incremental', 'false'], 'Compiling', 'The sources do not compile.', lock);
  stamp(name, wanted);
  stamp('service', wantedOfService);
}

async function checkTypes(lock) {
  const wanted = serverDigest(sourcesIn(roots));
  if (isCurrent('types', wanted)) return;
  console.log('Checking types ...');
  rmSync(stamps.types, { force: true });
  const config = ['tsconfig.json', '--noEmit', ...(process.stdout.isTTY ? ['--pretty'] : [])];
  await compile(config, 'Checking types', 'The sources do not compile.', lock);
  stamp('types', wanted);
}

async function compile(args, progress, message, lock) {
  const options = { cwd: checkout, lock, progress };
  const { code, said } = await runHeardStep(projectNode(), [compiler, '-p', ...args], options);
  if (code !== 0) throw failureOf(message, said, inCheckout('dist'));
}

/** Says that dist follows the sources by other means than a build: the next one writes it anew. */
export function forgetBuilt() {
  rmSync(stamps.service, { force: true });
  rmSync(stamps.tests, { force: true });
}

/**
 * Builds the pages, unless they are. Throws when that fails.
 *
 * @param {import('./lock.mjs').Lock} lock the build lock
 */
export async function buildPages(lock) {
  if (pagesAreBuilt()) return;
  const wanted = pagesDigest();
  console.log('Building the pages ...');
  rmSync(stamps.pages, { force: true });
  const vite = inCheckout(webRoot, 'node_modules', 'vite', 'bin', 'vite.js');
  const { code, said } = await runHeardStep(projectNode(), [vite, 'build', '--logLevel', 'warn'], {
    cwd: inCheckout(webRoot),
    lock,
    progress: 'Building the pages',
  });
  if (code !== 0) throw failureOf('The pages do not build.', said, inCheckout('dist'));
  stamp('pages', wanted);
}

/** Whether the pages are what their sources make. */
export function pagesAreBuilt() {
  return isCurrent('pages', pagesDigest()) && existsSync(inCheckout('dist', webRoot, 'pages.json'));
}

function sourcesIn(some) {
  const inRoot = (root) =>
    filesBelow(inCheckout(root), (inner) => path.join(root, inner) !== webRoot).map((file) => path.join(root, file));
  return some.flatMap(inRoot).filter((file) => file.endsWith('.ts'));
}

function serverDigest(sources) {
  return digest([
    ...sources,
    ...[...sources, 'tsconfig.json', serviceConfig, 'package-lock.json'].map((file) => readFileSync(inCheckout(file))),
  ]);
}

function pagesDigest() {
  const isSource = (inner) => inner !== 'node_modules';
  const sources = filesBelow(inCheckout(webRoot), isSource).filter(isSource);
  return digest([...sources, ...sources.map((file) => readFileSync(inCheckout(webRoot, file)))]);
}

function isWritten(name, sources) {
  return isCurrent(name, serverDigest(sources)) && outputsAreThere(sources);
}

function isCurrent(name, wanted) {
  return readIfThere(stamps[name]) === wanted;
}

function stamp(name, wanted) {
  ensureDirectory(inCheckout('dist'), 0o755);
  writeWhole(stamps[name], wanted);
}

function outputsAreThere(sources) {
  return sources.every(
    (file) => file.endsWith('.d.ts') || existsSync(inCheckout('dist', file.replace(/\.ts$/, '.js'))),
  );
}

/** Outputs whose source is gone: a deleted test must not run on. */
function removeOrphans(writtenRoots) {
  const written = [webRoot, testShares];
  for (const root of writtenRoots) {
    for (const file of filesBelow(inCheckout('dist', root), (inner) => !written.includes(path.join(root, inner)))) {
      const source = path.join(root, file).replace(/\.(js|js\.map|d\.ts)$/, '.ts');
      if (!existsSync(inCheckout(source))) rmSync(inCheckout('dist', root, file));
    }
  }
}
