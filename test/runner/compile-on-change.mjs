import { existsSync, readdirSync, readFileSync, rmSync, statSync, watch } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { forget, service, serviceRoots } from '#launch/build.mjs';
import { ensureDirectory, filesBelow, writeWhole } from '#launch/files.mjs';
import { inCheckout } from '#launch/runtime.mjs';
import { tests } from './prepare.mjs';

/** What one change writes comes within this time, in milliseconds. */
const settled = 50;

/**
 * Compiles each changed source separately, and therefore quickly; types are checked by `npm run check` and on the next
 * start, which compiles everything. The pages are also built on the next start.
 *
 * @param {(files: string[]) => void} onChange receives the changed sources once they are compiled
 * @returns {() => void} stops watching
 */
export function compileOnChange(onChange) {
  const compile = compilerOfOneFile();
  /** @type {Set<string>} */
  const changed = new Set();
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  const settle = () => {
    const files = [...changed];
    changed.clear();
    if (files.map(compile).every(Boolean)) onChange(files);
  };
  const stop = watchBelow(serviceRoots, (file) => {
    if (!isSource(file)) return;
    changed.add(file);
    clearTimeout(timer);
    timer = setTimeout(settle, settled);
  });
  return () => {
    clearTimeout(timer);
    stop();
  };
}

/**
 * Watches each directory separately: Node's recursive watch on Linux loses a file that an editor replaces.
 *
 * @param {string[]} directories relative to the checkout, like the reported files
 * @param {(file: string) => void} hear
 */
function watchBelow(directories, hear) {
  /** @type {Map<string, import('node:fs').FSWatcher>} */
  const watchers = new Map();
  /** @param {string} directory */
  const add = (directory) => {
    const watcher = watch(inCheckout(directory), (_event, name) => name && notice(path.join(directory, name)));
    watcher.on('error', () => forgetDirectory(directory));
    watchers.set(directory, watcher);
    for (const entry of readdirSync(inCheckout(directory), { withFileTypes: true }))
      if (entry.isDirectory()) add(path.join(directory, entry.name));
  };
  /** @param {string} directory */
  const forgetDirectory = (directory) => {
    watchers.get(directory)?.close();
    watchers.delete(directory);
  };
  /** @param {string} name */
  const notice = (name) => {
    const isDirectory = statSync(inCheckout(name), { throwIfNoEntry: false })?.isDirectory();
    if (!isDirectory) return watchers.has(name) ? forgetDirectory(name) : hear(name);
    if (watchers.has(name)) return undefined;
    add(name);
    return filesBelow(inCheckout(name)).forEach((file) => hear(path.join(name, file)));
  };
  directories.forEach(add);
  return () => watchers.forEach((watcher) => watcher.close());
}

/** @param {string} file */
const isHelpPage = (file) => file.startsWith(path.join('api', 'help')) && file.endsWith('.md');

/** @param {string} file */
function isSource(file) {
  if (isHelpPage(file)) return true;
  return /(?<!\.d)\.ts$/.test(file) && !file.startsWith(path.join('api', 'web'));
}

/** TypeScript 5 among the dependencies, as TypeScript 7 compiles whole programs only. */
function compilerOfOneFile() {
  const ts = createRequire(inCheckout('package.json'))('typescript5');
  const { config } = ts.parseConfigFileTextToJson('tsconfig.json', readFileSync(inCheckout('tsconfig.json'), 'utf8'));
  // A single file does not reveal that its package uses ES modules.
  const own = { ...config.compilerOptions, module: 'esnext', moduleResolution: 'bundler' };
  const { options } = ts.convertCompilerOptionsFromJson(own, inCheckout());
  return (/** @type {string} */ file) => {
    const source = inCheckout(file);
    const output = inCheckout('dist', file.replace(/\.ts$/, '.js'));
    // dist is now updated outside of the build: the next build writes it again.
    for (const product of [service, tests]) forget(product);
    if (!existsSync(source)) {
      rmSync(output, { force: true });
      return true;
    }
    const text = readFileSync(source, 'utf8');
    if (isHelpPage(file)) {
      ensureDirectory(path.dirname(output), 0o755);
      writeWhole(output, text);
      return true;
    }
    const transpiled = ts.transpileModule(text, {
      compilerOptions: options,
      fileName: source,
      reportDiagnostics: true,
    });
    for (const { start = 0, messageText } of transpiled.diagnostics)
      console.error(
        `${file}:${text.slice(0, start).split('\n').length} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      );
    if (transpiled.diagnostics.length > 0) return false;
    ensureDirectory(path.dirname(output), 0o755);
    const map = { ...JSON.parse(transpiled.sourceMapText), sources: [path.relative(path.dirname(output), source)] };
    writeWhole(`${output}.map`, JSON.stringify(map));
    writeWhole(output, transpiled.outputText);
    return true;
  };
}
