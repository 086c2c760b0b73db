import { randomBytes, timingSafeEqual } from 'node:crypto';
import { scryptApart } from './hash-thread.js';

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

/** The parts of a stored hash; null for what is none. */
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
  /** A hash that no password belongs to and that takes as long to verify: for accounts that have none. */
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

  /** Whether the password belongs to the hash, compared in constant time. */
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
