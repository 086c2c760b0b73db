import type { Value } from '../configuration-model/configuration.types.js';
import { enterKey, pickValue, reject } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readHash, readStrings } from './read-shapes.js';

/** What a job takes from the top of the file: all, nothing, or what is listed. */
export interface InheritConfig {
  default: boolean | string[];
  variables: boolean | string[];
}

/** Reads `inherit`; `keywords` are those that `default` can have. */
export function readInherit(value: Value, at: KeywordScope, keywords: readonly string[]): InheritConfig | undefined {
  const hash = readHash(value, at, ['default', 'variables']);
  if (!hash) return undefined;
  const [defaults, variables] = [pickValue(hash, 'default'), pickValue(hash, 'variables')];
  const inherit: InheritConfig = { default: true, variables: true };
  if (defaults !== undefined) inherit.default = readChoice(defaults, enterKey(at, 'default'), keywords) ?? true;
  if (variables !== undefined) inherit.variables = readChoice(variables, enterKey(at, 'variables'), null) ?? true;
  return inherit;
}

/** Whether a job takes a keyword, or a variable. */
export function allowsName(choice: boolean | string[], name: string): boolean {
  return typeof choice === 'boolean' ? choice : choice.includes(name);
}

function readChoice(value: Value, at: KeywordScope, known: readonly string[] | null): boolean | string[] | undefined {
  if (typeof value === 'boolean') return value;
  if (!Array.isArray(value)) return reject({ ...at, title: at.label }, 'should be a bool or array of strings');
  const names = readStrings(value, at);
  const unknown = known === null ? [] : (names?.filter((name) => !known.includes(name)) ?? []);
  return unknown.length > 0 ? reject(at, `contains unknown values: ${unknown.join(', ')}`) : names;
}
