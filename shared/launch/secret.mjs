import { randomBytes } from 'node:crypto';
import path from 'node:path';

import { readIfThere, writeWhole } from './files.mjs';

/**
 * The secret that goes with the embedded database, made at the first start. The processes of the service get it by their environment:
 * where they run as another user than we, none of them can read the file.
 *
 * @param {string} dataDir
 */
export function keptSecret(dataDir) {
  const file = path.join(dataDir, 'secret_key_base');
  const kept = readIfThere(file)?.trim();
  if (kept) return kept;
  const secret = randomBytes(48).toString('base64url');
  writeWhole(file, `${secret}\n`, 0o600);
  return secret;
}
