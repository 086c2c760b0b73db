import { isHash } from '../configuration-model/configuration.types.js';
import type { EnvironmentConfig, Hash, Value } from '../configuration-model/configuration.types.js';
import { enterAttribute, enterKey, isBlank, pickValue, reject, warnUnused } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readVariableExpiry } from './read-duration.js';
import { checkKeys, limitString, makeChoiceReader, readString } from './read-shapes.js';
import type { Reader } from './read-shapes.js';

const KEYS = ['name', 'url', 'action', 'on_stop', 'auto_stop_in', 'kubernetes', 'deployment_tier'];
const NAME = /^[-\w./${}][-\w./${} ]*$/;
const NAME_TEXT =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, " +
  "but it cannot start or end with '/'";
const TIERS = ['production', 'staging', 'testing', 'development', 'other'] as const;

const readUrl = limitString(255);
const readAction = makeChoiceReader(
  ['start', 'stop', 'prepare', 'verify', 'access'],
  'should be start, stop, prepare, verify, or access',
);
const readTier = makeChoiceReader(TIERS, `must be one of ${TIERS.join(', ')}`);

/** Reads `environment`: a name, or a hash with one. */
export function readEnvironment(value: Value, at: KeywordScope): EnvironmentConfig | undefined {
  const hash: Value = typeof value === 'string' ? { name: value } : value;
  if (!isHash(hash)) return reject(at, 'should be a hash or a string');
  checkKeys(hash, at, KEYS);
  const name = readName(hash, enterAttribute(at, 'name'));
  const read = <T>(key: string, reader: Reader<T>): T | undefined => {
    const part = pickValue(hash, key);
    return part === undefined ? undefined : reader(part, enterAttribute(at, key));
  };
  const url = read('url', readUrl);
  const action = read('action', readAction) ?? 'start';
  const on_stop = read('on_stop', readString);
  const auto_stop_in = read('auto_stop_in', readVariableExpiry);
  const deployment_tier = read('deployment_tier', readTier);
  checkKubernetes(hash, at);
  return name === undefined ? undefined : { name, url, action, on_stop, auto_stop_in, deployment_tier };
}

function readName(hash: Hash, at: KeywordScope): string | undefined {
  const name = pickValue(hash, 'name');
  if (name === undefined || isBlank(name)) return reject(at, "can't be blank");
  if (typeof name !== 'string' || !NAME.test(name)) return reject(at, NAME_TEXT);
  if (name.startsWith('/') || name.endsWith('/')) return reject(at, NAME_TEXT);
  return name.length > 255 ? reject(at, 'is too long (maximum is 255 characters)') : name;
}

function checkKubernetes(hash: Hash, at: KeywordScope): void {
  const value = pickValue(hash, 'kubernetes');
  if (value === undefined) return;
  if (isHash(value)) warnUnused(enterKey(at, 'kubernetes'));
  else reject(enterAttribute(at, 'kubernetes'), 'should be a hash');
}
