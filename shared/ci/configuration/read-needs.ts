import { isHash } from '../configuration-model/configuration.types.js';
import type { Hash, NeedConfig, Value } from '../configuration-model/configuration.types.js';
import { enterAttribute, enterItem, enterKey, isBlank, pickValue } from './keyword-scope.js';
import { reject, rejectUnsupported, rejectWhole } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readMatrixCombinations } from './read-parallel.js';
import { checkKeys, flattenItems, readBoolean, readString } from './read-shapes.js';

const KEYS = ['job', 'artifacts', 'optional', 'parallel'];

/** Reads `needs`, of a job or of a rule: names of jobs, or hashes with one. */
export function readNeeds(value: Value, at: KeywordScope): NeedConfig[] | undefined {
  const items = Array.isArray(value) ? flattenItems(value, at) : isHash(value) ? [value] : undefined;
  if (!items) return reject(at, 'can only be a hash or an array');
  const limit = at.reading.needsLimit;
  if (items.length > limit) {
    const advice = 'See needs keyword documentation for more details';
    const text = `one job can only need ${limit} others, but you have listed ${items.length}. ${advice}`;
    return rejectWhole(at, at.job === null ? text : `${at.job}: ${text}`);
  }
  return items.map((item) => readNeed(item, at)).filter((need) => need !== undefined);
}

function readNeed(value: Value, needs: KeywordScope): NeedConfig | undefined {
  const at = enterItem(needs, 'need');
  if (typeof value === 'string')
    return isBlank(value) ? reject(at, "can't be blank") : { job: value, artifacts: true, optional: false };
  if (isHash(value)) {
    for (const key of ['project', 'pipeline'])
      if (pickValue(value, key) !== undefined) return rejectUnsupported(enterKey(needs, key));
    if (Object.hasOwn(value, 'job')) return readNeedHash(value, at);
  }
  return reject({ ...at, title: at.label }, 'has an unsupported type');
}

function readNeedHash(hash: Hash, at: KeywordScope): NeedConfig | undefined {
  checkKeys(hash, at, KEYS);
  const [job, parallel] = [pickValue(hash, 'job'), pickValue(hash, 'parallel')];
  const matrix = parallel === undefined ? undefined : readNeedMatrix(parallel, enterKey(at, 'parallel'));
  const artifacts = readFlag(hash, at, 'artifacts') ?? true;
  const optional = readFlag(hash, at, 'optional') ?? false;
  const jobScope = enterAttribute(at, 'job');
  const name = isBlank(job) ? reject(jobScope, "can't be blank") : readString(job!, jobScope);
  if (name === undefined) return undefined;
  return matrix ? { job: name, artifacts, optional, matrix } : { job: name, artifacts, optional };
}

function readFlag(hash: Hash, at: KeywordScope, key: string): boolean | undefined {
  const value = pickValue(hash, key);
  return value === undefined ? undefined : readBoolean(value, enterAttribute(at, key));
}

function readNeedMatrix(value: Value, at: KeywordScope): NeedConfig['matrix'] {
  if (typeof value === 'number') return reject(at, 'cannot use "parallel: <number>".');
  return readMatrixCombinations(value, at);
}
