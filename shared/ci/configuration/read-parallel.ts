import { isHash } from '../configuration-model/configuration.types.js';
import type { JobConfig, Value } from '../configuration-model/configuration.types.js';
import { countValues, enterItem, enterKey, isBlank, pickValue, reject } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { formatScalar } from './read-variables.js';
import { checkKeys, listKeys, readInteger } from './read-shapes.js';

/** Into how many jobs one can be split. */
const PARALLEL_LIMIT = 200;

type Combinations = Record<string, string[]>[];

/** Reads `parallel`: a number, or a hash with `matrix`. */
export function readParallel(value: Value, at: KeywordScope): NonNullable<JobConfig['parallel']> | undefined {
  if (typeof value === 'number') return readInteger(value, at, 1, PARALLEL_LIMIT);
  const matrix = readMatrixCombinations(value, at);
  return matrix && { matrix };
}

/** Reads a hash whose only key is `matrix`: lists of values by variable, which are combined. */
export function readMatrixCombinations(value: Value, at: KeywordScope): Combinations | undefined {
  if (!isHash(value)) return reject({ ...at, title: at.label }, 'should be an integer or a hash');
  checkKeys(value, at, ['matrix']);
  const matrix = pickValue(value, 'matrix');
  if (matrix === undefined) return reject(at, 'missing required keys: matrix');
  return readMatrix(matrix, enterKey(at, 'matrix'));
}

function readMatrix(value: Value, at: KeywordScope): Combinations | undefined {
  if (!Array.isArray(value) || value.length === 0 || !value.every(isHash))
    return reject(at, 'should be an array of hashes');
  countValues(at, value.length);
  const combinations: Combinations = [];
  let jobs = 0;
  for (const item of value) {
    const values = readMatrixVariables(item, enterItem(at, 'variables'));
    if (!values) return undefined;
    combinations.push(values);
    jobs += Object.values(values).reduce((product, list) => product * list.length, 1);
  }
  return jobs > PARALLEL_LIMIT ? reject(at, `generates too many jobs (maximum is ${PARALLEL_LIMIT})`) : combinations;
}

function readMatrixVariables(value: Value, at: KeywordScope): Record<string, string[]> | undefined {
  if (isBlank(value)) return reject(at, 'requires at least 1 items');
  const variables: Record<string, string[]> = Object.create(null);
  const valid =
    isHash(value) &&
    listKeys(value, at).every((name) => {
      const texts = formatValues(value[name] ?? null, at);
      if (texts) variables[name] = texts;
      return texts !== undefined;
    });
  return valid ? variables : reject(at, 'should be a hash of key value pairs, value can be an array');
}

/** The texts of a value or of a list of them; undefined when there is none, or one that has no text. */
function formatValues(value: Value, at: KeywordScope): string[] | undefined {
  if (isBlank(value)) return undefined;
  const list = Array.isArray(value) ? value : [value];
  countValues(at, list.length);
  const texts = list.map((item) => formatScalar(item)).filter((text) => text !== undefined);
  return texts.length === list.length ? texts : undefined;
}
