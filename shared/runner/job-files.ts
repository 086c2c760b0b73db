import { spawnSync } from 'node:child_process';
import { lstatSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Writes a file where an earlier script of the job may have left anything: what is there is replaced, never followed,
 * since the job's links may lead out of what it can write to itself.
 */
export function writeFresh(file: string, content: string): void {
  removeTree(file);
  writeFileSync(file, content, { mode: 0o600, flag: 'wx' });
}

/** Removes a directory and all below it, also what a job closed: caches of modules often are readable only. */
export function removeTree(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true });
  } catch {
    spawnSync('chmod', ['-R', 'u+rwX', '--', directory], { stdio: 'ignore' });
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * The name of the directory of a runner's builds, up to the random part. The process is named, so that a later start
 * finds what a killed one left.
 *
 * @param systemId tells runners of machines apart that share a directory
 */
export const buildsName = (systemId: string, pid: number): string => `capstan-runner-${systemId}-${pid}-`;

/** Removes what killed runners left in a directory. @param own stays */
export function removeLeftBuilds(parent: string, systemId: string, own: string): void {
  for (const name of readdirSync(parent)) {
    const [, id, pid] = /^capstan-runner-(s_[0-9a-f]+)-(\d+)-/.exec(name) ?? [];
    if (id === systemId && name !== path.basename(own) && !isOther(Number(pid)))
      attemptToRemove(path.join(parent, name));
  }
}

/** Whether a number is that of another process that runs. */
function isOther(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Others may have made a directory of this name: it stays. */
function attemptToRemove(directory: string): void {
  try {
    const found = lstatSync(directory);
    if (found.isDirectory() && found.uid === process.getuid?.()) removeTree(directory);
  } catch {
    // The next start tries again.
  }
}
