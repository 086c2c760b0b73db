import { isHash } from '../configuration-model/configuration.types.js';
import type { Value } from '../configuration-model/configuration.types.js';
import { enterAttribute, pickValue, reject } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readBoolean, readHash, makeChoiceReader, readString } from './read-shapes.js';
import { readExpiry } from './read-duration.js';
import type { Reader } from './read-shapes.js';

const PAGES_READERS: Record<string, Reader<Value>> = {
  path_prefix: readString,
  publish: readString,
  expire_in: readExpiry,
  user_defined: readBoolean,
};
const DAST_KEYS = ['site_profile', 'scanner_profile'];

/** Reads `identity`. */
export const readIdentity = makeChoiceReader(['google_cloud']);

/** Reads `pages`: whether the job publishes a site, or a hash that tells how. */
export function readPages(value: Value, at: KeywordScope): Value | undefined {
  if (typeof value === 'boolean') return value;
  if (!isHash(value)) return reject(at, 'should be a hash or a boolean value');
  readHash(value, at, Object.keys(PAGES_READERS));
  for (const [key, reader] of Object.entries(PAGES_READERS)) {
    const part = pickValue(value, key);
    if (part !== undefined) reader(part, enterAttribute(at, key));
  }
  return value;
}

/** Reads `dast_configuration`. */
export function readDastConfiguration(value: Value, at: KeywordScope): Value | undefined {
  const hash = readHash(value, at, DAST_KEYS);
  for (const key of DAST_KEYS) {
    const part = hash && pickValue(hash, key);
    if (part !== undefined) readString(part, enterAttribute(at, key));
  }
  return hash;
}

/** Reads `inputs` of a job: a hash of anything. */
export function readJobInputs(value: Value, at: KeywordScope): Value | undefined {
  return isHash(value) ? value : reject(at, 'should be a hash');
}

/** Accepts what others have read before: `include`, `spec`, `extends`. */
export function skipValue(value: Value): Value {
  return value;
}
