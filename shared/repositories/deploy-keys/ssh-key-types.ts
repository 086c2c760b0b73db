import { createPublicKey } from 'node:crypto';
import { MalformedKey } from './ssh-wire.js';
import type { SshWireReader } from './ssh-wire.js';

/** Reads what follows the type in the blob of a key. @returns its size in bits @throws MalformedKey */
type ReadKey = (wire: SshWireReader) => number;

/** The largest that OpenSSH makes. */
const MAX_RSA_BITS = 16_384;

const bitLength = (bytes: Buffer): number => bytes.length * 8 - Math.clz32(bytes[0] ?? 0) + 24;

/** Has OpenSSL look at a key, which refuses points that are not on their curve. @throws MalformedKey */
function requireKey(jwk: Record<string, string>): void {
  try {
    createPublicKey({ key: jwk, format: 'jwk' });
  } catch {
    throw new MalformedKey();
  }
}

const isEven = (bytes: Buffer) => ((bytes.at(-1) ?? 0) & 1) === 0;

const rsa: ReadKey = (wire) => {
  const [exponent, modulus] = [wire.positive(), wire.positive()];
  const bits = bitLength(modulus);
  if (bits > MAX_RSA_BITS || exponent.length > 8 || isEven(modulus) || isEven(exponent)) throw new MalformedKey();
  if (exponent.length === 1 && exponent[0] === 1) throw new MalformedKey();
  requireKey({ kty: 'RSA', n: modulus.toString('base64url'), e: exponent.toString('base64url') });
  return bits;
};

const ed25519: ReadKey = (wire) => {
  requireKey({ kty: 'OKP', crv: 'Ed25519', x: wire.bytesOf(32).toString('base64url') });
  return 256;
};

const CURVES = {
  nistp256: { crv: 'P-256', bits: 256 },
  nistp384: { crv: 'P-384', bits: 384 },
  nistp521: { crv: 'P-521', bits: 521 },
} as const;

const ecdsa =
  (curve: keyof typeof CURVES): ReadKey =>
  (wire) => {
    const { crv, bits } = CURVES[curve];
    const size = Math.ceil(bits / 8);
    wire.expect(curve);
    const point = wire.bytesOf(1 + 2 * size);
    // 4: both coordinates follow, which is the only form that SSH has.
    if (point[0] !== 4) throw new MalformedKey();
    const [x, y] = [point.subarray(1, 1 + size), point.subarray(1 + size)];
    requireKey({ kty: 'EC', crv, x: x.toString('base64url'), y: y.toString('base64url') });
    return bits;
  };

/** The data of a key on a hardware device ends with its application, `ssh:`. */
const inDevice =
  (read: ReadKey): ReadKey =>
  (wire) => {
    const bits = read(wire);
    if (wire.bytes().length === 0) throw new MalformedKey();
    return bits;
  };

/** Accepted key types, by the name that a key begins with. */
export const KEY_TYPES: ReadonlyMap<string, ReadKey> = new Map([
  ['ssh-rsa', rsa],
  ['ssh-ed25519', ed25519],
  ['ecdsa-sha2-nistp256', ecdsa('nistp256')],
  ['ecdsa-sha2-nistp384', ecdsa('nistp384')],
  ['ecdsa-sha2-nistp521', ecdsa('nistp521')],
  ['sk-ssh-ed25519@openssh.com', inDevice(ed25519)],
  ['sk-ecdsa-sha2-nistp256@openssh.com', inDevice(ecdsa('nistp256'))],
]);
