import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { digest, ensureDataDirectory, ensureDirectory, isRoot, readIfThere } from '#launch/files.mjs';
import { databasePackage, linkDatabaseLibraries } from '#launch/install.mjs';

interface User {
  uid: number;
  gid: number;
}

/** Who runs a PostgreSQL, with what, and where. */
export interface Location {
  /** Null for "as ourselves". */
  user: User | null;
  binaries: string;
  home: string;
  cluster: string;
  version: string;
}

/** Where files go that the unprivileged user must reach when DATA_DIR or the checkout is closed to it. */
export const OUTSIDE = '/var/lib/capstan';

/**
 * PostgreSQL refuses to run as root, and its initdb as a user without a name; this one is "nobody" on nearly all
 * systems.
 */
export const NOBODY: User = { uid: 65_534, gid: 65_534 };

/**
 * Where the database of a DATA_DIR lives, its directories made: in DATA_DIR, else below /var/lib/capstan.
 * @throws Error when the database that is already there cannot be used
 */
export function locateDatabase(dataDir: string): Location {
  ensureDataDirectory(dataDir);
  const inside = path.join(dataDir, 'postgres');
  if (!isRoot()) return locationIn(inside, null);
  const cluster = path.join(inside, 'cluster');
  if (!existsSync(cluster)) {
    const elsewhere = outsideFor(dataDir);
    return locationIn(isDatabaseIn(elsewhere) || !canEnter(dataDir, NOBODY) ? elsewhere : inside, NOBODY);
  }
  const { uid, gid } = statSync(cluster);
  if (uid === 0)
    throw new Error(`${cluster} belongs to root, as whom PostgreSQL cannot run: give it to an ordinary user.`);
  if (!canEnter(inside, { uid, gid }))
    throw new Error(
      `Uid ${uid}, who owns the database in ${inside}, cannot reach it: open the directories above it (chmod o+x).`,
    );
  return locationIn(inside, { uid, gid });
}

/** Where the cluster of a DATA_DIR is, an existing directory; undefined when it has none yet. Makes nothing. */
export function findCluster(dataDir: string): string | undefined {
  const home = [path.join(dataDir, 'postgres'), ...(isRoot() ? [outsideFor(dataDir)] : [])].find(isDatabaseIn);
  return home && path.join(home, 'cluster');
}

const isDatabaseIn = (home: string) => existsSync(path.join(home, 'cluster'));
const outsideFor = (dataDir: string) => path.join(OUTSIDE, digest([realpathSync(dataDir)]).slice(0, 16));

/** The location of a database in a directory, which is made. */
export function locationIn(home: string, user: User | null): Location {
  if (home.startsWith(`${OUTSIDE}/`)) ensureDirectory(OUTSIDE, 0o711);
  ensureDirectory(home, 0o700);
  if (user && statSync(home).uid === 0) chownSync(home, user.uid, user.gid);
  const manifest = readIfThere(path.join(databasePackage(), 'package.json'));
  if (manifest === null)
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    );
  const { version } = JSON.parse(manifest) as { version: string };
  return { user, binaries: binariesFor(user, version), home, cluster: path.join(home, 'cluster'), version };
}

function binariesFor(user: User | null, version: string): string {
  linkDatabaseLibraries();
  const native = path.join(realpathSync(databasePackage()), 'native');
  if (!user || ['bin', 'lib', 'share'].every((name) => canEnter(path.join(native, name), user))) return native;
  ensureDirectory(OUTSIDE, 0o711);
  const copy = path.join(OUTSIDE, `postgresql-${version}-${process.platform}-${process.arch}`);
  if (existsSync(copy)) return copy;
  const partial = `${copy}.new-${process.pid}`;
  rmSync(partial, { recursive: true, force: true });
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
  // The modes of the original depend on the umask at its installation.
  execFileSync('chmod', ['-R', 'u=rwX,go=rX', partial]);
  try {
    renameSync(partial, copy);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    // Another start made the same copy first.
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/** Whether a user may pass through every directory down to this one. */
export function canEnter(directory: string, user: User): boolean {
  for (let at = realpathSync(directory); ; at = path.dirname(at)) {
    const { mode, uid, gid } = statSync(at);
    const bit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
    if (!(mode & bit)) return false;
    if (at === path.dirname(at)) return true;
  }
}
