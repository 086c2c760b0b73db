import { isHash } from '../configuration-model/configuration.types.js';
import type { Hash, Value, VariableConfig, Variables } from '../configuration-model/configuration.types.js';
import { countValues, enterAttribute, enterKey, pickValue, reject, rejectWhole } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { listKeys, readBoolean, readStrings } from './read-shapes.js';
import type { Reader } from './read-shapes.js';

/** What a variable may have beside its value where it is written as a hash; none: it must be a text there. */
type VariableKeys = readonly ('value' | 'description' | 'options' | 'expand')[];

/** What a variable counts for beside its key: many jobs may share one large hash by aliases. */
const VARIABLE_COST = 9;

/** Global `variables`. */
export const readGlobalVariables = makeVariablesReader(['value', 'description', 'expand', 'options']);
/** `variables` of a job. */
export const readJobVariables = makeVariablesReader(['value', 'expand']);
/** `variables` of a rule or a service. */
export const readPlainVariables = makeVariablesReader([]);

/**
 * The text of a value that may stand for one: a text or a whole number. Others are refused, as the public server does:
 * `1.10` would become `1.1`, and nobody can say whether `true` means `true` or `1`.
 */
export function formatScalar(value: Value | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined;
}

function makeVariablesReader(keys: VariableKeys): Reader<Variables> {
  return (value, at) => {
    if (!isHash(value)) return reject(at, 'should be a hash');
    const variables: Variables = Object.create(null);
    const names = listKeys(value, at);
    countValues(at, names.length * VARIABLE_COST);
    for (const name of names) {
      const variable = readVariable(value[name] ?? '', enterKey(at, name), keys);
      if (variable) variables[name] = variable;
    }
    return variables;
  };
}

function readVariable(value: Value, at: KeywordScope, keys: VariableKeys): VariableConfig | undefined {
  const text = formatScalar(value);
  if (text !== undefined) return { value: text, expand: true };
  if (!isHash(value)) return rejectWhole(at, 'variable definition must be either a string or a hash');
  if (keys.length === 0) return reject(at, 'must be a string');
  return readDescribedVariable(value, at, keys);
}

function readDescribedVariable(hash: Hash, at: KeywordScope, keys: VariableKeys): VariableConfig {
  const unknown = listKeys(hash, at).filter((key) => !keys.some((known) => known === key));
  if (unknown.length > 0) reject(at, `uses invalid data keys: ${unknown.join(', ')}`);
  const variable: VariableConfig = { value: readPart(hash, at, 'value') ?? '', expand: true };
  const description = readPart(hash, at, 'description');
  if (description !== undefined) variable.description = description;
  const expand = pickValue(hash, 'expand');
  if (expand !== undefined) variable.expand = readBoolean(expand, enterPart(at, 'expand')) ?? true;
  const options = pickValue(hash, 'options');
  if (options !== undefined) variable.options = readStrings(options, enterPart(at, 'options'));
  if (variable.options && variable.options.length > 0 && !variable.options.includes(variable.value))
    reject(at, 'value must be present in options');
  return variable;
}

function readPart(hash: Hash, at: KeywordScope, key: 'value' | 'description'): string | undefined {
  const value = pickValue(hash, key);
  if (value === undefined) return undefined;
  return formatScalar(value) ?? reject(enterPart(at, key), 'must be an alphanumeric string');
}

function enterPart(at: KeywordScope, key: string): KeywordScope {
  return { ...enterAttribute(at, key), title: `${at.label} config ${key}` };
}
