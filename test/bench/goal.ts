import type { BenchSite } from './bench-site.js';

/** One number that the service must reach, and what was measured. */
export interface Goal {
  name: string;
  /** As in `>= 0.5 of the twin`. */
  target: string;
  /** The median with its spread, as text. */
  measured: string;
  holds: boolean;
}

export interface Effort {
  rounds: number;
  /** Length of one measured turn, in seconds. */
  seconds: number;
}

/** Something that can be measured on its own. */
export interface Bench {
  name: string;
  /** Benches that are chosen together; only by that name, by their own, or with all. */
  group?: string;
  run(site: BenchSite, effort: Effort): Promise<Goal[]>;
}

/** Prints results of a bench in addition to its goals: profiles, rates, CPU time. */
export function report(line: string): void {
  process.stdout.write(`    ${line}\n`);
}
