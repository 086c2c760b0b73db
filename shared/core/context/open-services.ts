import type { PgBoss } from 'pg-boss';
import type { Services } from './context.js';

/** The resources that a process has opened, and closes when it exits. */
export interface OpenServices extends Services {
  /** Sends jobs on the pool. */
  boss: PgBoss;
  close(): Promise<void>;
}
