import { generateKeyPairSync } from 'node:crypto';
import type { BuiltUser } from '../../core/builders.js';
import type { TestApp } from '../../core/app.js';

/** A string of the SSH wire format: four bytes of length, then the bytes. */
export function wire(...parts: (string | Uint8Array)[]): Buffer {
  return Buffer.concat(
    parts.flatMap((part) => {
      const bytes = Buffer.from(part);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(bytes.length);
      return [length, bytes];
    }),
  );
}

/** The line of a key: its type, followed by a blob that starts with a type, the same by default. */
export const line = (type: string, parts: (string | Uint8Array)[], inside = type): string =>
  `${type} ${wire(inside, ...parts).toString('base64')}`;

/** A positive integer in its shortest form, with a zero before it where its first bit is set. */
export const positive = (bytes: Uint8Array): Buffer =>
  (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : Buffer.from(bytes);

const raw = (text: string | undefined) => Buffer.from(text ?? '', 'base64url');

/** The 32 bytes of a new ed25519 key. */
export const ed25519Bytes = () => raw(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x);

/** A new ed25519 key, with a comment unless there is none. */
export const ed25519 = (comment = '') => `${line('ssh-ed25519', [ed25519Bytes()])} ${comment}`.trim();

export function rsa(bits: number): string {
  const { n, e } = generateKeyPairSync('rsa', { modulusLength: bits }).publicKey.export({ format: 'jwk' });
  return line('ssh-rsa', [raw(e), positive(raw(n))]);
}

const CURVES = { nistp256: 'P-256', nistp384: 'P-384', nistp521: 'P-521' } as const;

/** A new point of a curve, as SSH writes it. */
export function point(curve: keyof typeof CURVES): Buffer {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: CURVES[curve] }).publicKey.export({ format: 'jwk' });
  return Buffer.concat([Buffer.from([4]), raw(x), raw(y)]);
}

export const ecdsa = (curve: keyof typeof CURVES) => line(`ecdsa-sha2-${curve}`, [curve, point(curve)]);

export interface Keyed {
  id: number;
  owner: BuiltUser;
  /** Of its keys: `/projects/7/deploy_keys`. */
  path: string;
}

/** A new project without a repository. */
export async function keyedProject(
  app: TestApp,
  attributes: { owner?: BuiltUser; visibility?: string } = {},
): Promise<Keyed> {
  const { id, owner } = await app.build.project({ empty: true, ...attributes });
  return { id, owner, path: `/projects/${id}/deploy_keys` };
}

export interface CreatedKey {
  id: number;
  title: string;
  key: string;
  fingerprint_sha256: string;
  can_push: boolean;
}

/** A deploy key of a project, added by its owner; a new key by default. */
export async function keyIn(
  app: TestApp,
  { owner, path }: Keyed,
  attributes: Record<string, unknown> = {},
): Promise<CreatedKey> {
  const { status, body } = await app.as(owner).post(path, { title: 'Release', key: ed25519(), ...attributes });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as CreatedKey;
}
