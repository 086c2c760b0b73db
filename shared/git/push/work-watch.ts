import { readFile } from 'node:fs/promises';

/** Interval of the checks. */
const POLL_MS = 500;
/** Ticks of the kernel clock, the unit of process times. */
const TICKS_PER_SECOND = 100;

/** CPU seconds that a process has used; null if the system does not report them, or the process has exited. */
async function usedSeconds(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  if (stat === null) return null;
  // Behind the name, which may hold anything, come the state and, as 12th and 13th, the times.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/**
 * Watches the CPU time of a process, and calls `onTooMuch` once when it exceeds its limit. Elapsed time would not work:
 * on a busy machine it does not reflect the work done.
 * @param mayUse the current limit in CPU seconds
 * @returns a function that ends the watch
 */
export function watchWork(pid: number, mayUse: () => number, onTooMuch: () => void): () => void {
  const timer = setInterval(() => {
    void usedSeconds(pid).then((used) => {
      if (used === null || used <= mayUse()) return;
      clearInterval(timer);
      onTooMuch();
    });
  }, POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
