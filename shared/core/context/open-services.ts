import type { PgBoss } from 'pg-boss';
import type { Services } from './context.js';
import type { Channels } from '../database/channels.js';

/** The resources that a process has opened, and closes when it exits. */
export interface OpenServices extends Services {
  /** Listens to notifications on database channels. */
  channels: Channels;
  /** Sends jobs on the pool. */
  boss: PgBoss;
  close(): Promise<void>;
}
