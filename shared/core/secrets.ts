import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { scryptApart } from './hash-thread.js';

/** Everything made from SECRET_KEY_BASE: one key for each purpose, so that none can stand in for another. */
export class Keys {
  // Key objects: with a buffer each call would check and copy the key, which takes ten times as long as the digest.
  readonly #tokens: KeyObject;
  readonly #encryption: KeyObject;
  /** Shows whether two processes hold the same secret, without telling it. */
  readonly fingerprint: string;

  constructor(secretKeyBase: string) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKeyBase, 'capstan', purpose, 32));
    this.#tokens = createSecretKey(derive('token digests'));
    this.#encryption = createSecretKey(derive('column encryption'));
    this.fingerprint = derive('fingerprint').toString('hex');
  }

  /** HMAC-SHA-256 of a token, as stored: a leaked table does not open the API. */
  digest(token: string): Buffer<ArrayBuffer> {
    return createHmac('sha256', this.#tokens).update(token).digest();
  }

  /**
   * AES-256-GCM, for what must be read back. `boundTo` names the row and column (such as
   * "pipeline_schedule_variables.value:7"): a value copied to another row does not decrypt.
   */
  encrypt(text: string, boundTo: string): Buffer<ArrayBuffer> {
    const nonce = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', this.#encryption, nonce);
    cipher.setAAD(Buffer.from(boundTo));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), sealed]);
  }

  /** @throws when the value was changed, moved, or sealed with another secret */
  decrypt(sealed: Buffer, boundTo: string): string {
    if (sealed[0] !== 1) throw new Error(`Unknown encryption of ${boundTo}.`);
    const decipher = createDecipheriv('aes-256-gcm', this.#encryption, sealed.subarray(1, 13));
    decipher.setAAD(Buffer.from(boundTo));
    decipher.setAuthTag(sealed.subarray(13, 29));
    return Buffer.concat([decipher.update(sealed.subarray(29)), decipher.final()]).toString('utf8');
  }
}

/** A fresh token: `prefix` and 26 URL-safe random characters (156 bits). */
export function generateToken(prefix: string): string {
  return prefix + randomBytes(20).toString('base64url').slice(0, 26);
}

/** Cost of a password's hash: 64 MiB and about a tenth of a second. Hashes made with another cost still verify. */
const COST: ScryptCost = { N: 2 ** 16, r: 8, p: 1 };
/** Above this a stored cost is not tried: it would take the process's memory. */
const MAX_MEMORY = 256 * 1024 * 1024;

interface ScryptCost {
  N: number;
  r: number;
  p: number;
}

function derivePassword(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  return scryptApart(password.normalize('NFKC'), salt, { ...cost, maxmem: MAX_MEMORY });
}

/** A slow, salted hash (scrypt), made on a thread of its own: `scrypt$N$r$p$salt$key`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derivePassword(password, salt, COST);
  return `scrypt$${COST.N}$${COST.r}$${COST.p}$${salt.toString('base64url')}$${key.toString('base64url')}`;
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

/** Whether the password belongs to the hash, compared in constant time. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const stored = readHash(hash);
  if (!stored) return false;
  const actual = await derivePassword(password, stored.salt, stored.cost);
  return stored.key.length === actual.length && timingSafeEqual(stored.key, actual);
}

/** Whether a hash was made with another cost than hashes are made with today. */
export function isOutdatedHash(hash: string): boolean {
  const cost = readHash(hash)?.cost;
  return !cost || cost.N !== COST.N || cost.r !== COST.r || cost.p !== COST.p;
}

/** A hash that no password belongs to and that takes as long to verify: for accounts that have none. */
export const UNMATCHABLE_HASH = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;
