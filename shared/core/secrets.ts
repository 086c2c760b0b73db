import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import type { KeyObject, ScryptOptions } from 'node:crypto';

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

const SCRYPT: ScryptOptions = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 };

function derivePassword(password: string, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, 32, SCRYPT, (error, key) => (error ? reject(error) : resolve(key)));
  });
}

/** A slow, salted hash (scrypt, 64 MiB), made off the event loop. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const key = await derivePassword(password, salt);
  return `scrypt$65536$8$1$${salt.toString('base64url')}$${key.toString('base64url')}`;
}

/** Whether the password belongs to the hash, compared in constant time. */
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
  const [scheme, , , , salt, key] = hash.split('$');
  if (scheme !== 'scrypt' || !salt || !key) return false;
  const expected = Buffer.from(key, 'base64url');
  const actual = await derivePassword(password, Buffer.from(salt, 'base64url'));
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}
