import { poolConnections } from './instruments.js';

/** The current state of a pool. */
export interface PoolState {
  readonly total: number;
  readonly idle: number;
  /** Requests that wait for a connection. */
  readonly waiting: number;
}

const pools = new Set<() => PoolState>();

/** Reports a pool in `db_pool_connections` from now on. @returns a function that stops it */
export function watchPool(state: () => PoolState): () => void {
  pools.add(state);
  return () => pools.delete(state);
}

/** Sets the gauge to what all pools of this process have together. */
export function measurePools(): void {
  const sum = { idle: 0, busy: 0, waiting: 0 };
  for (const state of pools) {
    const { total, idle, waiting } = state();
    sum.idle += idle;
    sum.busy += total - idle;
    sum.waiting += waiting;
  }
  for (const [state, count] of Object.entries(sum)) poolConnections.set({ state }, count);
}
