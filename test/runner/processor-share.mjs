import { readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/**
 * The share of a processor available to each process that needs one: 1 while there are enough processors for all.
 *
 * @param {number} running number of processes that need one
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
