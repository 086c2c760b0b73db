import { isHash } from '../configuration-model/configuration.types.js';
import type { Hash, RefPolicy, Value } from '../configuration-model/configuration.types.js';
import { enterAttribute, enterItem, isBlank, pickValue, reject, warnPending } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readRefs } from './read-patterns.js';
import { readExpression } from './read-rules.js';
import { checkKeys, formatUnknown, readStrings } from './read-shapes.js';

const KEYS = ['refs', 'kubernetes', 'variables', 'changes'];

/** Reads `only` or `except`. */
export function readRefPolicy(value: Value, at: KeywordScope): RefPolicy | undefined {
  const policy = readPolicy(value, at);
  if (policy?.refs?.includes('merge_requests')) warnPending(enterItem(at, 'merge_requests'));
  return policy;
}

function readPolicy(value: Value, at: KeywordScope): RefPolicy | undefined {
  if (Array.isArray(value)) {
    const refs = readRefs(value, at);
    return refs && { refs };
  }
  if (!isHash(value)) return reject({ ...at, title: at.label }, 'has to be either an array of conditions or a hash');
  if (isBlank(value)) return reject(at, "can't be blank");
  checkKeys(value, at, KEYS);
  return readPolicyHash(value, at);
}

function readPolicyHash(hash: Hash, at: KeywordScope): RefPolicy {
  const policy: RefPolicy = {};
  const [refs, kubernetes, variables, changes] = KEYS.map((key) => pickValue(hash, key));
  if (refs !== undefined) policy.refs = readRefs(refs, enterAttribute(at, 'refs'));
  if (kubernetes !== undefined) policy.kubernetes = readKubernetes(kubernetes, enterAttribute(at, 'kubernetes'));
  if (variables !== undefined) policy.variables = readExpressions(variables, enterAttribute(at, 'variables'));
  if (changes !== undefined) policy.changes = readStrings(changes, enterAttribute(at, 'changes'));
  return policy;
}

function readKubernetes(value: Value, at: KeywordScope): 'active' | undefined {
  return value === 'active' ? value : reject(at, `unknown value: ${formatUnknown(value)}`);
}

function readExpressions(value: Value, at: KeywordScope): string[] | undefined {
  return readStrings(value, at)?.filter((source) => readExpression(source, at) !== undefined);
}
