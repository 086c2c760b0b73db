import { readFile } from 'node:fs/promises';

/** How often is looked. */
const POLL_MS = 500;
/** Of the kernel's clock, in which it tells times of processes. */
const TICKS_PER_SECOND = 100;

/** Seconds of a core that a process has used; null where the system does not tell, or the process is gone. */
async function usedSeconds(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null);
  if (stat === null) return null;
  // Behind the name, which may hold anything, come the state and, as 12th and 13th, the times.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/**
 * Looks how much a process works, and tells once when it is more than it may. Time on the clock would not do: on a busy
 * machine it says nothing of the work.
 * @param mayUse seconds of a core, as of now
 * @returns ends the watch
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
