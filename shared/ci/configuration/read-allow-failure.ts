import { isHash } from '../configuration-model/configuration.types.js';
import type { AllowFailure, Value } from '../configuration-model/configuration.types.js';
import { enterAttribute, pickValue, reject } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { checkKeys, readIntegers } from './read-shapes.js';

/** Reads `allow_failure` of a job: a boolean, or the exit codes that do no harm. */
export function readAllowFailure(value: Value, at: KeywordScope): AllowFailure | undefined {
  if (typeof value === 'boolean') return value;
  if (!isHash(value)) return reject(at, 'should be a hash or a boolean value');
  const inside = { ...at, title: `${at.label} config` };
  checkKeys(value, inside, ['exit_codes']);
  const codes = pickValue(value, 'exit_codes');
  if (codes === undefined) return false;
  const exit_codes = readIntegers(codes, enterAttribute(inside, 'exit_codes'));
  return exit_codes && { exit_codes };
}
