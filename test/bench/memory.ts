import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child.js';

/** MiB of memory that a process holds; NaN where `/proc` does not tell. */
export async function memoryOf(child: Child): Promise<number> {
  const status = await readFile(`/proc/${child.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** The highest of what is measured again and again while something goes on. */
export async function highestWhile(work: Promise<unknown>, measure: () => Promise<number>): Promise<number> {
  const going = { on: true };
  const ended = work.finally(() => (going.on = false));
  // Told at the end, once nothing is measured any more.
  ended.catch(() => undefined);
  let highest = 0;
  while (going.on) {
    highest = Math.max(highest, await measure());
    await sleep(100);
  }
  await ended;
  return highest;
}
