import type { PgBoss } from 'pg-boss';
import type { Services } from './context.js';
import type { Channels } from '../database/channels.js';

/** What a process has opened, and closes when it ends. */
export interface OpenServices extends Services {
  /** Hears what is said on channels of the database. */
  channels: Channels;
  /** Sends jobs on the pool. */
  boss: PgBoss;
  close(): Promise<void>;
}
