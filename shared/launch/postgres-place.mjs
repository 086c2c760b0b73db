import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { digest, ensureDataDirectory, ensureDirectory, readIfThere } from './files.mjs';
import { databasePackage, linkDatabaseLibraries } from './install.mjs';

/** Where files go that the unprivileged user must reach when DATA_DIR or the checkout is closed to it. */
const outside = '/var/lib/capstan';

/** PostgreSQL refuses to run as root, and its initdb as a user without a name; this one is "nobody" nearly everywhere. */
const nobody = 65534;

/**
 * Who runs PostgreSQL, and with what. `user` is null for "as ourselves".
 *
 * @typedef {{ uid: number, gid: number } | null} User
 * @typedef {{ user: User, binaries: string, home: string, cluster: string, version: string }} Place
 */

/**
 * Where the database of a DATA_DIR lives, its directories made: in DATA_DIR, else below /var/lib/capstan. Throws when the database
 * that is already there cannot be used.
 *
 * @param {string} dataDir absolute
 * @returns {Place}
 */
export function placeForData(dataDir) {
  ensureDataDirectory(dataDir);
  const inside = path.join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) return place(null, inside);
  const elsewhere = outsideFor(dataDir);
  if (existsSync(path.join(inside, 'cluster'))) {
    const user = ownerOf(path.join(inside, 'cluster'));
    if (!canEnter(inside, user))
      throw new Error(
        `Uid ${user.uid}, who owns the database in ${inside}, cannot reach it: open the directories above it (chmod o+x).`,
      );
    return place(user, inside);
  }
  const user = { uid: nobody, gid: nobody };
  const home = !existsSync(path.join(elsewhere, 'cluster')) && canEnter(dataDir, user) ? inside : elsewhere;
  return place(user, home);
}

/**
 * Where the cluster of a DATA_DIR is; null when it has none yet. Makes nothing.
 *
 * @param {string} dataDir absolute, an existing directory
 */
export function clusterOf(dataDir) {
  const homes = [path.join(dataDir, 'postgres')];
  if (process.getuid?.() === 0) homes.push(outsideFor(dataDir));
  return homes.map((home) => path.join(home, 'cluster')).find((cluster) => existsSync(cluster)) ?? null;
}

function outsideFor(dataDir) {
  return path.join(outside, digest([realpathSync(dataDir)]).slice(0, 16));
}

/**
 * A new place for a database that is thrown away after use.
 *
 * @param {string} name of its directory; `home` is below it
 * @returns {Place & { directory: string }}
 */
export function placeForScratch(name) {
  const asRoot = process.getuid?.() === 0;
  const user = asRoot ? { uid: nobody, gid: nobody } : null;
  const parent = !asRoot || canEnter(tmpdir(), user) ? tmpdir() : outside;
  const directory = path.join(parent, name);
  ensureDirectory(directory, asRoot ? 0o711 : 0o700);
  return { ...place(user, path.join(directory, 'postgres')), directory };
}

/** The directories in which scratch places are made. */
export function scratchParents() {
  return [tmpdir(), outside];
}

function place(user, home) {
  if (home.startsWith(`${outside}/`)) ensureDirectory(outside, 0o711);
  ensureDirectory(home, 0o700);
  if (user && statSync(home).uid === 0) chownSync(home, user.uid, user.gid);
  const version = packageVersion();
  return { user, binaries: binariesFor(user, version), home, cluster: path.join(home, 'cluster'), version };
}

function packageVersion() {
  const text = readIfThere(path.join(databasePackage(), 'package.json'));
  if (text === null) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  }
  return JSON.parse(text).version;
}

function binariesFor(user, version) {
  linkDatabaseLibraries();
  const native = path.join(realpathSync(databasePackage()), 'native');
  if (
    !user ||
    (canEnter(path.join(native, 'bin'), user) &&
      canEnter(path.join(native, 'lib'), user) &&
      canEnter(path.join(native, 'share'), user))
  )
    return native;
  ensureDirectory(outside, 0o711);
  const copy = path.join(outside, `postgresql-${version}-${process.platform}-${process.arch}`);
  if (!existsSync(copy)) copyBinaries(native, copy);
  return copy;
}

function copyBinaries(from, to) {
  const partial = `${to}.new-${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  cpSync(from, partial, { recursive: true, verbatimSymlinks: true });
  openToAll(partial);
  try {
    renameSync(partial, to);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    // Another start made the same copy first.
    if (!existsSync(to)) throw error;
  }
}

/** The modes of the original follow the umask of whoever installed it. */
function openToAll(directory) {
  chmodSync(directory, 0o755);
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const file = path.join(directory, entry.name);
    if (entry.isDirectory()) openToAll(file);
    else if (entry.isFile()) chmodSync(file, statSync(file).mode & 0o100 ? 0o755 : 0o644);
  }
}

function ownerOf(file) {
  const { uid, gid } = statSync(file);
  if (uid === 0)
    throw new Error(`${file} belongs to root, as whom PostgreSQL cannot run: give it to an ordinary user.`);
  return { uid, gid };
}

/** Whether a user may pass through every directory down to this one. */
function canEnter(directory, user) {
  for (let at = realpathSync(directory); ; at = path.dirname(at)) {
    const { mode, uid, gid } = statSync(at);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if (!(mode & bit)) return false;
    if (at === path.dirname(at)) return true;
  }
}
