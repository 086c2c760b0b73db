import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';

/** The directories of one job: all that it may write to. */
export interface JobDirectories {
  /** The work tree. */
  project: string;
  /** Scripts, file variables, the home directory, and what the job sees as `/tmp`. */
  temporary: string;
}

/** A way to run a job's commands apart from the machine. */
export interface Isolation {
  name: string;
  /** The command that runs another one for a job. */
  wrap(command: string[], directories: JobDirectories): string[];
}

/** What a job sees as `/tmp`. */
export const temporaryOf = (directories: JobDirectories): string => path.join(directories.temporary, 'tmp');

/** Sockets of the machine's services lie here; the resolver's file too, on some machines. */
const RUN = ['/run', '/var/run'];
/** Memory that processes of one user share, that of its PostgreSQL among it: each job has one of its own. */
const SHARED_MEMORY = '/dev/shm';
const RESOLVER = '/run/systemd/resolve';

/** No isolation: a job sees what the runner sees. */
export const NO_ISOLATION: Isolation = { name: 'none', wrap: (command) => command };

/** Quotes a text for a shell. */
export const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The way through bubblewrap: everything else is readable only. */
function bubblewrap(hidden: string[]): Isolation {
  const tmpfs = [...realPathOf(SHARED_MEMORY), ...hidden].flatMap((directory) => ['--tmpfs', directory]);
  return {
    name: 'bubblewrap',
    wrap: (command, directories) =>
      [
        ['bwrap', '--unshare-user', '--unshare-pid', '--unshare-ipc', '--die-with-parent'],
        ['--ro-bind', '/', '/', '--dev-bind', '/dev', '/dev', '--proc', '/proc'],
        ['--bind', temporaryOf(directories), '/tmp', ...tmpfs, '--ro-bind-try', RESOLVER, RESOLVER],
        ['--bind', directories.temporary, directories.temporary, '--bind', directories.project, directories.project],
        ['--chdir', directories.project, '--', ...command],
      ].flat(),
  };
}

/** Drops every right that the mounts needed. */
const WITHOUT_RIGHTS = 'setpriv --no-new-privs --inh-caps=-all --ambient-caps=-all --bounding-set=-all --';

/**
 * Makes everything readable only but some mounts. What a mount may not lose, because it came from outside of the
 * namespace, has to be named again.
 */
const readOnlyBut = (mounts: readonly string[]): string => `while read -r _ _ _ _ point flags _; do
  point=$(printf %b "$point")
  case $point in /proc|/proc/*|/sys|/sys/*) continue ;; esac
  for mount in ${mounts.map(quote).join(' ')}; do test "$point" != "$mount" || continue 2; done
  kept=
  for flag in nosuid nodev noexec noatime nodiratime relatime; do
    case ",$flags," in *",$flag,"*) kept="$kept,$flag" ;; esac
  done
  case ",$flags," in *,ro,*) ;; *) mount -o "remount,bind,ro$kept" "$point" 2>/dev/null || : ;; esac
done </proc/self/mountinfo`;

/** The way through user namespaces with the tools of util-linux: everything else is readable only here as well. */
function userNamespaces(hidden: string[]): Isolation {
  return {
    name: 'user namespaces',
    wrap(command, directories) {
      // Opened first: afterwards their own paths may lie below something hidden.
      const own = [temporaryOf(directories), directories.temporary, directories.project];
      const script = [
        'set -e',
        `exec 3<${quote(own[0] ?? '')} 4<${quote(own[1] ?? '')} 5<${quote(own[2] ?? '')}`,
        `if [ -d ${RESOLVER} ]; then exec 6<${RESOLVER}; fi`,
        'mount -c --bind /proc/self/fd/3 /tmp',
        ...hidden.map((directory) => {
          const quoted = quote(directory);
          return `if [ -d ${quoted} ]; then mount -t tmpfs -o size=1m,mode=755 tmpfs ${quoted}; fi`;
        }),
        `if [ -e /proc/self/fd/6 ]; then mkdir -p ${RESOLVER}; mount -c --bind /proc/self/fd/6 ${RESOLVER}; exec 6<&-; fi`,
        ...own.slice(1).map((directory, index) => {
          const quoted = quote(directory);
          return `mkdir -p ${quoted}; mount -c --bind /proc/self/fd/${index + 4} ${quoted}`;
        }),
        `if [ -d ${SHARED_MEMORY} ]; then mount -t tmpfs -o mode=1777 tmpfs ${SHARED_MEMORY}; fi`,
        readOnlyBut(['/tmp', SHARED_MEMORY, ...hidden, ...own.slice(1)]),
        `exec 3<&- 4<&- 5<&-; cd ${quote(directories.project)}`,
        `exec ${WITHOUT_RIGHTS} "$@"`,
      ];
      return [
        ['unshare', '--user', '--map-current-user', '--keep-caps'],
        // Asked for only here: a new user namespace would undo it.
        ['setpriv', '--pdeathsig', 'KILL'],
        ['unshare', '--mount', '--pid', '--ipc', '--fork', '--kill-child', '--mount-proc'],
        ['sh', '-c', script.join('\n'), 'sh', ...command],
      ].flat();
    },
  };
}

/**
 * Finds a way that works here, by trying each: it must run a command, hide what it should, show no other process, and
 * let nothing else be written.
 *
 * @param buildsDir where the tries may write; of what lies in it a job sees its own directories only
 * @param hidden directories that no job may see
 */
export function findIsolation(buildsDir: string, hidden: readonly string[]): Isolation | null {
  // Names of one directory, such as a link and its target, are hidden as one; `/tmp` is another one for each job anyway.
  const real = new Set([...RUN, buildsDir, ...hidden].flatMap(realPathOf));
  // What lies in a hidden directory is hidden with it: to hide it again would show its name there.
  const all = [...real]
    .filter((directory) => directory !== '/' && !isBelow(directory, '/tmp'))
    .filter((directory) => ![...real].some((other) => other !== directory && isBelow(directory, other)))
    .sort();
  const base = mkdtempSync(path.join(buildsDir, 'try-'));
  const directories = { project: path.join(base, 'project'), temporary: path.join(base, 'temporary') };
  for (const directory of [directories.project, temporaryOf(directories)]) mkdirSync(directory, { recursive: true });
  try {
    return [bubblewrap(all), userNamespaces(all)].find((isolation) => holds(isolation, directories, hidden)) ?? null;
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

function holds(isolation: Isolation, directories: JobDirectories, hidden: readonly string[]): boolean {
  const tests = hidden
    .filter((directory) => !isBelow(directories.project, directory))
    .map((directory) => `test -z "$(ls -A ${quote(directory)} 2>/dev/null)"`);
  const closed = ['/var/tmp', import.meta.dirname].map((directory) => `test ! -w ${quote(directory)}`);
  const script = [`test ! -e /proc/${process.pid}/cwd || test $$ -le 2`, ': >written', ...closed, ...tests].join(
    ' && ',
  );
  const [command = '', ...args] = isolation.wrap(['sh', '-c', script], directories);
  return spawnSync(command, args, { cwd: directories.project, stdio: 'ignore', timeout: 20_000 }).status === 0;
}

/** Where a path leads; nowhere where it can't be reached, and then a job can't either. */
function realPathOf(directory: string): string[] {
  try {
    return [realpathSync(directory)];
  } catch {
    return [];
  }
}

function isBelow(file: string, directory: string): boolean {
  return file === directory || file.startsWith(`${directory}/`);
}
