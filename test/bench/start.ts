import { spawn } from 'node:child_process';
import path from 'node:path';
import type { Bench, Goal } from './goal.js';
import type { BenchSite } from './bench-site.js';
import { median, withSpread } from './statistics.js';

const GOAL_SECONDS = 3;
const STARTS = 5;
const GIVE_UP_MS = 60_000;

/** Seconds from `npm start` until it reports that it is ready. Stops it afterwards. */
async function startOnce(dataDir: string): Promise<number> {
  const began = performance.now();
  const child = spawn('npm', ['start'], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const timer = setTimeout(() => child.kill('SIGTERM'), GIVE_UP_MS);
  let said = '';
  try {
    return await new Promise<number>((resolve, reject) => {
      const hear = (chunk: Buffer) => {
        said += chunk.toString();
        if (said.includes('Capstan is ready')) resolve((performance.now() - began) / 1000);
      };
      child.stdout.on('data', hear);
      child.stderr.on('data', hear);
      child.once('error', reject);
      child.once('exit', () => reject(new Error(`npm start ended: ${said.trim()}`)));
    });
  } finally {
    child.kill('SIGTERM');
    await exit;
    clearTimeout(timer);
  }
}

/** `npm start` on an installed, built and migrated checkout, with the embedded PostgreSQL. */
export const start: Bench = {
  name: 'start',
  async run(site: BenchSite): Promise<Goal[]> {
    const dataDir = path.join(site.directory, 'start');
    // The first start makes and migrates the database.
    await startOnce(dataDir);
    const times: number[] = [];
    for (let turn = 0; turn < STARTS; turn += 1) times.push(await startOnce(dataDir));
    return [
      {
        name: 'start',
        target: `ready in <= ${GOAL_SECONDS} s`,
        measured: withSpread(times, 2, ' s'),
        holds: median(times) <= GOAL_SECONDS,
      },
    ];
  },
};
