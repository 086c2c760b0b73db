import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { ScryptOptions } from 'node:crypto';
import { Overloaded } from '../values/errors.js';
import { Limiter } from '../values/limiter.js';
import { Thread } from './thread.js';

/** The input of the thread. */
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
async function scryptApart(password: string, salt: Uint8Array, options: ScryptOptions): Promise<Buffer> {
  return Buffer.from(await hashing.ask({ password, salt, options }));
}

export interface ScryptCost {
  N: number;
  r: number;
  p: number;
}

/** Cost of a password's hash: 64 MiB and about a tenth of a second. Hashes made with another cost still verify. */
export const PASSWORD_COST: ScryptCost = { N: 2 ** 16, r: 8, p: 1 };
/** Above this a stored cost is not tried: it would take the process's memory. */
const MAX_MEMORY = 256 * 1024 * 1024;

function derivePassword(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  return scryptApart(password.normalize('NFKC'), salt, { ...cost, maxmem: MAX_MEMORY });
}

/** The parts of a stored hash; null if it is not a hash. */
function readHash(hash: string): { cost: ScryptCost; salt: Buffer; key: Buffer } | null {
  const [, N, r, p, salt, key] = /^scrypt\$(\d+)\$(\d+)\$(\d+)\$([\w-]+)\$([\w-]+)$/.exec(hash) ?? [];
  if (salt === undefined || key === undefined) return null;
  return {
    cost: { N: Number(N), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64url'),
    key: Buffer.from(key, 'base64url'),
  };
}

/** Slow, salted hashes of passwords (scrypt), made on a thread of its own: `scrypt$N$r$p$salt$key`. */
export class Passwords {
  readonly #cost: ScryptCost;
  /** A hash that matches no password and takes as long to verify: for accounts without a password. */
  readonly unmatchable: string;

  /** @param cost of the hashes that are made */
  constructor(cost: ScryptCost) {
    this.#cost = cost;
    this.unmatchable = `scrypt$${cost.N}$${cost.r}$${cost.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(16);
    const { N, r, p } = this.#cost;
    const key = await derivePassword(password, salt, this.#cost);
    return `scrypt$${N}$${r}$${p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
  }

  /** Whether the password matches the hash, compared in constant time. */
  async verify(password: string, hash: string): Promise<boolean> {
    const stored = readHash(hash);
    if (!stored) return false;
    const actual = await derivePassword(password, stored.salt, stored.cost);
    return stored.key.length === actual.length && timingSafeEqual(stored.key, actual);
  }

  /** Whether a hash was made with another cost than hashes are made with today. */
  isOutdated(hash: string): boolean {
    const cost = readHash(hash)?.cost;
    return !cost || cost.N !== this.#cost.N || cost.r !== this.#cost.r || cost.p !== this.#cost.p;
  }
}

/** One at a time: a hash keeps a core and 64 MiB busy. */
const AT_ONCE = 1;
/** More would wait longer than a person does. */
const WAITING_AT_MOST = 20;
const RETRY_AFTER_SECONDS = 5;

const createError = () => new Overloaded(RETRY_AFTER_SECONDS);
const limiter = new Limiter({ capacity: AT_ONCE, queueLimit: WAITING_AT_MOST, createError });

/**
 * Refuses what would have to wait too long, before anything is done for it: a flood must cost next to nothing.
 * @throws Overloaded
 */
export function requireHashCapacity(): void {
  if (limiter.waiting >= WAITING_AT_MOST) throw createError();
}

/**
 * Runs `work`, which hashes a password, when it is its turn in this process, in order of arrival.
 * @throws Overloaded at once when too many wait already
 */
export const inTurn = <T>(work: () => Promise<T>): Promise<T> => limiter.run(work);
