import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { Pool } from 'pg';
import type { Child } from '../child.js';
import type { Span } from './others.js';

const EVERY_MS = 200;
const PAGE_BYTES = 4096;
const MIB = 1024 * 1024;
/** An attack that takes more of the machine's memory is ended early: other programs need some too. */
const SPARED = 0.25;

interface Sample {
  at: number;
  /** Statements that run, of every process on the database but this one. */
  statements: number;
  /** Processes that the watched ones have started. */
  children: number;
  childrenMiB: number;
}

/** Memory of a process, in MiB. */
export interface Memory {
  now: number;
  /** Since {@link ProcessWatch.forgetPeak}. */
  most: number;
}

interface Process {
  id: number;
  parent: number;
  /** The start time, in ticks: process ids are reused eventually. */
  began: string;
  mib: number;
}

/** Every process of the machine, by its id. */
function processes(): Map<number, Process> {
  const found = new Map<number, Process>();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name, in parentheses, may hold spaces: count from behind it.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const mib = (Number(fields[21]) * PAGE_BYTES) / MIB;
      found.set(Number(name), { id: Number(name), parent: Number(fields[1]), began: fields[19] ?? '', mib });
    } catch {
      // Gone meanwhile.
    }
  }
  return found;
}

/** What processes descend from these, themselves left out. */
function descendants(of: readonly number[]): Process[] {
  const all = processes();
  const isBelow = (process: Process | undefined): boolean =>
    process !== undefined && (of.includes(process.parent) || isBelow(all.get(process.parent)));
  return [...all.values()].filter(isBelow);
}

function memoryIsShort(): boolean {
  const text = readFileSync('/proc/meminfo', 'utf8');
  const kib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? Number.NaN);
  return kib('MemAvailable') < kib('MemTotal') * SPARED;
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Stops processes, and kills the descendants they left behind, which would disturb the next measurement. */
export async function stopWhole(children: readonly Child[]): Promise<void> {
  const below = descendants(children.map(({ process }) => process.pid as number));
  await Promise.all(children.map((child) => child.stop()));
  const left = processes();
  for (const { id, began } of below) if (left.get(id)?.began === began) process.kill(id, 'SIGKILL');
}

/** Looks at processes of the service from outside, several times a second: needs Linux. */
export class ProcessWatch {
  readonly #samples: Sample[] = [];
  readonly #timer: NodeJS.Timeout;
  readonly #short = new AbortController();
  /** The machine runs short of memory. */
  readonly memoryIsShort = this.#short.signal;

  constructor(
    private readonly children: readonly Child[],
    private readonly db: Pool,
  ) {
    this.#timer = setInterval(() => void this.#sample(), EVERY_MS);
  }

  async #sample(): Promise<void> {
    const below = descendants(this.children.map(({ process }) => process.pid as number));
    if (memoryIsShort()) this.#short.abort();
    const at = performance.now();
    const { rows } = await this.db.query<{ running: number }>(
      `select count(*)::int as running from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and state <> 'idle'
          and pid <> pg_backend_pid()`,
    );
    const childrenMiB = below.reduce((sum, { mib }) => sum + mib, 0);
    this.#samples.push({ at, statements: rows[0]?.running ?? 0, children: below.length, childrenMiB });
  }

  /** Resets the peak memory of the processes. */
  forgetPeak(): void {
    for (const { process } of this.children) writeFileSync(`/proc/${process.pid}/clear_refs`, '5');
  }

  /** Of each watched process; zero for one that has ended. */
  memory(): Promise<Memory[]> {
    return Promise.all(
      this.children.map(async ({ process }) => {
        const text = await readFile(`/proc/${process.pid}/status`, 'utf8').catch(() => '');
        const mib = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0) / 1024;
        return { now: mib('VmRSS'), most: mib('VmHWM') };
      }),
    );
  }

  /** Means over a time range; NaN without samples. */
  means({ from, to }: Span): { statements: number; children: number } {
    const samples = this.#samples.filter(({ at }) => at >= from && at < to);
    return {
      statements: mean(samples.map((sample) => sample.statements)),
      children: mean(samples.map((sample) => sample.children)),
    };
  }

  /** The most at once in a time range. */
  most({ from, to }: Span): { statements: number; children: number; childrenMiB: number } {
    const samples = this.#samples.filter(({ at }) => at >= from && at < to);
    const most = (of: (sample: Sample) => number) => Math.max(0, ...samples.map(of));
    return {
      statements: most((sample) => sample.statements),
      children: most((sample) => sample.children),
      childrenMiB: most((sample) => sample.childrenMiB),
    };
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
