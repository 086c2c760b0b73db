import { createHash } from 'node:crypto';
import type { Hash } from '../configuration-model/configuration.types.js';
import { IncludeError } from './include-rules.js';
import { readKey } from './merge-hashes.js';

const PREFIX = 'sha256-';

/**
 * The `integrity` of a remote include, without its prefix; null where there is none.
 * @throws IncludeError for one that is no SHA-256 in base 64, or of an include that is not remote
 */
export function readIntegrity(item: Hash): string | null {
  const value = readKey(item, 'integrity') ?? null;
  if (value === null) return null;
  if (!Object.hasOwn(item, 'remote'))
    throw new IncludeError('include config integrity can only be specified for remote includes');
  if (typeof value !== 'string' || !value.startsWith(PREFIX))
    throw new IncludeError(`include config integrity hash must start with '${PREFIX}'`);
  const digest = value.slice(PREFIX.length);
  if (/^[A-Za-z0-9+/]{43}=$/.test(digest)) return digest;
  throw new IncludeError('include config integrity hash must be base64 encoded');
}

/** Whether a text, as UTF-8, has this SHA-256 in base 64. */
export function hasIntegrity(text: string, digest: string): boolean {
  return createHash('sha256').update(text, 'utf8').digest('base64') === digest;
}
