import type { ScryptOptions } from 'node:crypto';
import { Thread } from './thread.js';

/** What the thread is asked. */
export interface HashRequest {
  password: string;
  salt: Uint8Array;
  options: ScryptOptions;
}

const hashing = new Thread<HashRequest, Uint8Array>(new URL('./hash-worker.js', import.meta.url), 'hashes passwords');

/**
 * scrypt on a thread of its own with a low priority, one at a time: a flood of sign-ins takes what time other requests
 * leave. The pool that Node would use has the same priority as they, and reading files waits in it.
 * @returns 32 bytes
 */
export async function scryptApart(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Buffer> {
  return Buffer.from(await hashing.ask({ password, salt, options }));
}
