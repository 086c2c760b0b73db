import type { Repository } from './pools.js';
import { requireSha } from './object-ids.js';
import { readObjects } from './objects.js';

export type SignatureType = 'PGP' | 'SSH' | 'X509';

/** How signatures begin. */
const TYPES: Record<string, SignatureType> = {
  'PGP SIGNATURE': 'PGP',
  'PGP MESSAGE': 'PGP',
  'SSH SIGNATURE': 'SSH',
  'SIGNED MESSAGE': 'X509',
};

/** The bytes that contain the header of a commit, its parents and the start of its signature. */
const HEAD_BYTES = 64 * 1024;

/** The type of a commit's signature (full id), null if unsigned. The signature is not verified. */
export async function signatureType(repository: Repository, sha: string): Promise<SignatureType | null> {
  const [object] = await readObjects(repository, [requireSha(sha)], HEAD_BYTES);
  const text = object?.content.toString('latin1') ?? '';
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  const [, begun = ''] = /^gpgsig(?:-sha256)? -----BEGIN ([A-Z ]+)-----$/m.exec(head) ?? [];
  return TYPES[begun] ?? null;
}
