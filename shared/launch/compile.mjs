import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

import { digest, ensureDirectory, filesBelow, readIfThere, writeWhole } from './files.mjs';
import { failureOf } from './full-disk.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { runHeardStep } from './run-step.mjs';
import { projectNode } from './runtime.mjs';

/** Where the sources are that the compiler reads. */
export const roots = ['api', 'workers', 'shared', 'migrations', 'test'];
const webRoot = path.join('api', 'web');
/** Below dist: what runs many test files in one process (`test-files.mjs`), which has no source. */
export const testShares = path.join('test', 'together');
const serverStamp = inCheckout('dist', '.built');
const webStamp = inCheckout('dist', '.built-web');
const compiler = inCheckout('node_modules', 'typescript', 'bin', 'tsc');
/** Stands there when files in dist are not what the compiler of all has written. */
const developmentMark = inCheckout('dist', '.development');
const buildInfo = inCheckout('dist', '.tsbuildinfo');

/** Whether dist is what the sources compile to. */
export function isBuilt() {
  const sources = serverSources();
  return isCurrent(serverStamp, serverDigest(sources)) && outputsAreThere(sources) && webIsBuilt(webDigest());
}

/**
 * Compiles what changed since the last build. Throws when it doesn't compile; then no stamp is left, so the next try compiles again.
 *
 * @param {import('./lock.mjs').Lock} lock the build lock
 */
export async function ensureBuilt(lock) {
  await buildServer(lock);
  await buildWeb(lock);
}

async function buildServer(lock) {
  const sources = serverSources();
  const wanted = serverDigest(sources);
  const complete = outputsAreThere(sources);
  if (complete && isCurrent(serverStamp, wanted)) return;
  console.log('Compiling ...');
  rmSync(serverStamp, { force: true });
  // The compiler trusts its own record of what it has written.
  if (!complete || existsSync(developmentMark)) rmSync(buildInfo, { force: true });
  rmSync(developmentMark, { force: true });
  removeOrphans();
  const args = [compiler, '-p', 'tsconfig.json', ...(process.stdout.isTTY ? ['--pretty'] : [])];
  const { code, said } = await runHeardStep(projectNode(), args, { cwd: checkout, lock, progress: 'Compiling' });
  if (code !== 0) throw failureOf('The sources do not compile.', said, inCheckout('dist'));
  stamp(serverStamp, wanted);
}

/** Says that dist follows the sources by other means than the compiler of all: the next build compiles all of them. */
export function markDevelopment() {
  if (existsSync(developmentMark)) return;
  writeWhole(developmentMark, '');
  rmSync(serverStamp, { force: true });
}

async function buildWeb(lock) {
  const wanted = webDigest();
  if (webIsBuilt(wanted)) return;
  console.log('Building the pages ...');
  rmSync(webStamp, { force: true });
  const vite = inCheckout('node_modules', 'vite', 'bin', 'vite.js');
  const { code, said } = await runHeardStep(projectNode(), [vite, 'build', '--logLevel', 'warn'], {
    cwd: inCheckout(webRoot),
    lock,
    progress: 'Building the pages',
  });
  if (code !== 0) throw failureOf('The pages do not build.', said, inCheckout('dist'));
  stamp(webStamp, wanted);
}

function webIsBuilt(wanted) {
  return isCurrent(webStamp, wanted) && existsSync(inCheckout('dist', webRoot, 'pages.json'));
}

function serverSources() {
  const inRoot = (root) =>
    filesBelow(inCheckout(root), (inner) => path.join(root, inner) !== webRoot).map((file) => path.join(root, file));
  return roots.flatMap(inRoot).filter((file) => file.endsWith('.ts'));
}

function serverDigest(sources) {
  return digest([
    ...sources,
    ...[...sources, 'tsconfig.json', 'package-lock.json'].map((file) => readFileSync(inCheckout(file))),
  ]);
}

function webDigest() {
  const sources = filesBelow(inCheckout(webRoot), (inner) => inner !== 'node_modules').map((file) =>
    path.join(webRoot, file),
  );
  return digest([...sources, ...[...sources, 'package-lock.json'].map((file) => readFileSync(inCheckout(file)))]);
}

function isCurrent(file, wanted) {
  return readIfThere(file) === wanted;
}

function stamp(file, wanted) {
  ensureDirectory(path.dirname(file), 0o755);
  writeWhole(file, wanted);
}

function outputsAreThere(sources) {
  return sources.every(
    (file) => file.endsWith('.d.ts') || existsSync(inCheckout('dist', file.replace(/\.ts$/, '.js'))),
  );
}

/** Outputs whose source is gone: a deleted test must not run on. */
function removeOrphans() {
  const written = [webRoot, testShares];
  for (const root of roots) {
    for (const file of filesBelow(inCheckout('dist', root), (inner) => !written.includes(path.join(root, inner)))) {
      const source = path.join(root, file).replace(/\.(js|js\.map|d\.ts)$/, '.ts');
      if (!existsSync(inCheckout(source))) rmSync(inCheckout('dist', root, file));
    }
  }
}
