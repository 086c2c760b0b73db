import { setTimeout as sleep } from 'node:timers/promises';
import type { Child } from './child.js';

/** CPU time that a process takes over a while, in percent of one core. */
export async function percentOf(child: Child, milliseconds: number): Promise<number> {
  const [before, began] = [await child.cpuMs(), performance.now()];
  await sleep(milliseconds);
  const [after, ended] = [await child.cpuMs(), performance.now()];
  if (before === null || after === null) throw new Error('This system does not tell a process’s CPU time.');
  return ((after - before) / (ended - began)) * 100;
}
