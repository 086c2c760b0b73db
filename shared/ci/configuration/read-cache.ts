import { isHash } from '../configuration-model/configuration.types.js';
import type { CacheConfig, Value } from '../configuration-model/configuration.types.js';
import { enterAttribute, enterKey, pickValue, reject } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readUploadWhen } from './read-artifacts.js';
import { checkKeys, flattenItems, readBoolean, readHash, readStrings } from './read-shapes.js';
import type { Reader } from './read-shapes.js';

const KEYS = ['key', 'untracked', 'paths', 'when', 'policy', 'unprotect', 'fallback_keys'];
const CACHE_LIMIT = 4;
const FILE_LIMIT = 2;
const FALLBACK_LIMIT = 5;
const POLICY = /^(?:pull-push|push|pull|\$\w{1,255}|\$\{\w{1,255}\})$/;

/** Reads `cache`: one, or a list of at most four. */
export function readCaches(value: Value, at: KeywordScope): CacheConfig[] | undefined {
  const items = Array.isArray(value) ? flattenItems(value, at) : isHash(value) ? [value] : undefined;
  if (!items) return reject(at, 'can only be a hash or an array');
  if (items.length > CACHE_LIMIT) return reject(at, `no more than ${CACHE_LIMIT} caches can be created`);
  return items.map((item) => readCache(item, at)).filter((cache) => cache !== undefined);
}

function readCache(value: Value, at: KeywordScope): CacheConfig | undefined {
  const hash = readHash(value, at, KEYS);
  if (!hash) return undefined;
  const read = <T>(
    key: string,
    reader: Reader<T>,
    enter: (at: KeywordScope, key: string) => KeywordScope,
  ): T | undefined => {
    const part = pickValue(hash, key);
    return part === undefined ? undefined : reader(part, enter(at, key));
  };
  return {
    key: read('key', readCacheKey, enterKey) ?? 'default',
    paths: read('paths', readStrings, enterKey) ?? [],
    untracked: read('untracked', readBoolean, enterKey) ?? false,
    policy: read('policy', readPolicy, enterAttribute) ?? 'pull-push',
    when: read('when', readUploadWhen, enterAttribute) ?? 'on_success',
    unprotect: read('unprotect', readBoolean, enterKey) ?? false,
    fallback_keys: read('fallback_keys', readFallbackKeys, enterKey) ?? [],
  };
}

function readCacheKey(value: Value, at: KeywordScope): CacheConfig['key'] | undefined {
  if (typeof value === 'string') return readPathPart(value, at);
  if (!isHash(value)) return reject({ ...at, title: at.label }, 'should be a hash, a string or a symbol');
  checkKeys(value, at, ['files', 'prefix']);
  const [files, prefix] = [pickValue(value, 'files'), pickValue(value, 'prefix')];
  const key: Exclude<CacheConfig['key'], string> = { files: [] };
  if (files === undefined) reject(at, 'missing required keys: files');
  else key.files = readKeyFiles(files, enterKey(at, 'files')) ?? [];
  if (prefix !== undefined) key.prefix = readPathPart(prefix, enterKey(at, 'prefix'));
  return key;
}

function readKeyFiles(value: Value, at: KeywordScope): string[] | undefined {
  const files = readStrings(value, at);
  if (!files) return undefined;
  if (files.length === 0) return reject(at, 'requires at least 1 item');
  if (files.length > FILE_LIMIT) return reject(at, `has too many items (maximum is ${FILE_LIMIT})`);
  return files.map((file) => file.replace(/^\/+/, ''));
}

/** Reads a text that becomes one part of a path where caches are stored. */
function readPathPart(value: Value, at: KeywordScope): string | undefined {
  if (typeof value !== 'string') return reject(at, 'should be a string or symbol');
  const path = value.replace(/%2f/gi, '/').replace(/%2e/gi, '.');
  if (path.includes('/')) return reject(at, 'cannot contain the "/" character');
  return path === '.' || path === '..' ? reject(at, 'cannot be "." or ".."') : value;
}

function readPolicy(value: Value, at: KeywordScope): string | undefined {
  if (typeof value === 'string' && POLICY.test(value)) return value;
  return reject(at, 'should be a variable or one of: pull-push, push, pull');
}

function readFallbackKeys(value: Value, at: KeywordScope): string[] | undefined {
  const keys = readStrings(value, at);
  if (!keys || keys.length <= FALLBACK_LIMIT) return keys;
  const title = at.label.replace(/:fallback_keys$/, ' fallback keys');
  return reject({ ...at, title }, `has to many entries (maximum ${FALLBACK_LIMIT})`);
}
