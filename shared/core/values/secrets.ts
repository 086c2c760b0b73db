import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import type { KeyObject } from 'node:crypto';

/** All keys derived from SECRET_KEY_BASE: one for each purpose, so that none can be used in place of another. */
export class Keys {
  // Key objects: with a buffer each call would check and copy the key, which takes ten times as long as the digest.
  readonly #tokens: KeyObject;
  readonly #encryption: KeyObject;
  readonly #archives: KeyObject;
  /** Shows whether two processes have the same secret, without revealing it. */
  readonly fingerprint: string;

  constructor(secretKeyBase: string) {
    const derive = (purpose: string) => Buffer.from(hkdfSync('sha256', secretKeyBase, 'capstan', purpose, 32));
    this.#tokens = createSecretKey(derive('token digests'));
    this.#encryption = createSecretKey(derive('column encryption'));
    this.#archives = createSecretKey(derive('archive origins'));
    this.fingerprint = derive('fingerprint').toString('hex');
  }

  /** HMAC-SHA-256 of a token, as stored: a leaked table does not open the API. */
  digest(token: string): Buffer<ArrayBuffer> {
    return createHmac('sha256', this.#tokens).update(token).digest();
  }

  /** HMAC-SHA-256 of an archive's manifest: it proves to this instance, and to no other, that it wrote the archive. */
  archiveCode(manifest: string): Buffer<ArrayBuffer> {
    return createHmac('sha256', this.#archives).update(manifest).digest();
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
