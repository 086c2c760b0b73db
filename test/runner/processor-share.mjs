import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/**
 * How much of a processor each process has that wants one: 1 while there are enough of them for all.
 *
 * @param {number} running how many processes want one
 */
export function processorShare(running = runningProcesses(), processors = availableParallelism()) {
  return Math.min(1, processors / Math.max(running, 1));
}

/** How many processes run or wait for a processor, this one left out. */
function runningProcesses() {
  // Elsewhere the mean of the last minute has to do.
  if (process.platform !== 'linux') return loadavg()[0] ?? 1;
  return Number(/^procs_running (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 1) - 1;
}
