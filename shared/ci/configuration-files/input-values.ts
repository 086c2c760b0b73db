import { ConfigurationError, Reference } from '../configuration-model/configuration.types.js';
import type { Hash, Problem, Value } from '../configuration-model/configuration.types.js';
import { checkInput } from './input-check.js';
import type { InputSpec } from './input-specs.js';

/** The values of all inputs of a file, by name; null for a file that declares none. */
export type InputValues = ReadonlyMap<string, Value> | null;

/** Inputs that a request may have. */
const MOST_INPUTS = 20;
const MOST_PROBLEMS = 100;
const MAX_DEPTH = 100;

/** A value of JSON as one of a configuration file, its hashes without a prototype; undefined when nested too deeply. */
function copyValue(value: unknown, depth = 0): Value | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' || value instanceof Reference) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => copyValue(item, depth + 1));
    return items.includes(undefined) ? undefined : (items as Value[]);
  }
  if (typeof value !== 'object') return undefined;
  const hash = Object.create(null) as Hash;
  for (const [key, item] of Object.entries(value)) {
    const copy = copyValue(item, depth + 1);
    if (copy === undefined) return undefined;
    hash[key] = copy;
  }
  return hash;
}

/**
 * The values of the inputs of a file: those that came with the request, the schedule or the include, else the defaults.
 * @param specs from `readInputSpecs`
 * @param inputs values of JSON or of a configuration file, 20 at most
 * @throws ConfigurationError with one problem for each input that is missing, unknown or not as declared (100 at most);
 * `file` is the location of an included file
 */
export function resolveInputs(
  specs: readonly InputSpec[] | null,
  inputs: Readonly<Record<string, unknown>>,
  file?: string,
): InputValues {
  const names = Object.keys(inputs);
  const problems: Problem[] = [];
  const fail = (message: string) => new ConfigurationError([{ message, file }]);
  if (names.length > MOST_INPUTS) throw fail(`too many input arguments: the maximum is ${MOST_INPUTS}`);
  if (specs === null) {
    if (names.length === 0) return null;
    throw fail('Given inputs not defined in the `spec` section of the included configuration file');
  }
  const values = new Map<string, Value>();
  for (const spec of specs) {
    const { name, position } = spec;
    const report = (message: string) => problems.push({ message: `\`${name}\` input: ${message}`, file, position });
    const isProvided = Object.hasOwn(inputs, name);
    if (spec.default !== undefined) {
      const problem = checkInput(spec, spec.default, 'default');
      if (problem !== undefined) report(problem);
      values.set(name, spec.default);
    } else if (!isProvided) report('required value has not been provided');
    if (isProvided) {
      const value = copyValue(inputs[name]);
      const problem = value === undefined ? 'provided value cannot be used' : checkInput(spec, value, 'provided');
      if (problem !== undefined) report(problem);
      else values.set(name, value as Value);
    }
    if (problems.length >= MOST_PROBLEMS) break;
  }
  const specNames = new Set(specs.map(({ name }) => name));
  const unknown = names.filter((name) => !specNames.has(name));
  if (unknown.length > 0) problems.push({ message: `unknown input arguments: ${unknown.join(', ')}`, file });
  if (problems.length > 0) throw new ConfigurationError(problems);
  return values;
}
