import path from 'node:path';
import type { Config } from '../values/config.js';
import { LocalStore } from './local-store.js';
import type { ObjectStore } from './object-store.js';
import { TimeLimitedStore } from './time-limited-store.js';
import { S3Store } from './s3-store.js';

/** The kinds of stores that there are. */
export type StoreKind = 'local' | 's3';

/**
 * Opens a store as the settings say: the one in use, or another to move objects to.
 * @throws Error where the settings name no bucket
 */
export function openStore({ dataDir, objectStore, s3 }: Config, kind: StoreKind = objectStore): ObjectStore {
  if (kind === 'local') return new TimeLimitedStore(new LocalStore(path.join(dataDir, 'objects')));
  if (!s3) throw new Error('S3_BUCKET is not set.');
  return new TimeLimitedStore(new S3Store(s3));
}
