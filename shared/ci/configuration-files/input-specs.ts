import { ConfigurationError, isHash } from '../configuration-model/configuration.types.js';
import type { Hash, FilePosition, Problem, Value } from '../configuration-model/configuration.types.js';

export type InputType = 'string' | 'number' | 'boolean' | 'array';

/** One input that a file declares. */
export interface InputSpec {
  name: string;
  type: InputType;
  /** undefined: a value is required. */
  default?: Value | undefined;
  description?: string | undefined;
  options?: Value[] | undefined;
  /** In RE2 syntax. */
  regex?: string | undefined;
  position?: FilePosition | undefined;
}

/** Where the header comes from, for its problems. */
export interface HeaderSource {
  file?: string | undefined;
  locate?: ((path: readonly (string | number)[]) => FilePosition | undefined) | undefined;
}

const TYPES = new Set<unknown>(['string', 'number', 'boolean', 'array']);
const KEYS = new Set(['default', 'description', 'type', 'options', 'regex']);
const MOST_OPTIONS = 50;
const MOST_PROBLEMS = 100;

type Report = (path: readonly string[], message: string) => void;

/** A hash, where null counts as an empty one; undefined, with a problem, for anything else. */
function readHash(value: Value | undefined, path: readonly string[], report: Report): Hash | undefined {
  if (value === null || value === undefined) return Object.create(null) as Hash;
  if (isHash(value)) return value;
  report(path, `header:${path.join(':')} config should be a hash`);
  return undefined;
}

function checkKeys(hash: Hash, allowed: ReadonlySet<string>, path: readonly string[], report: Report): void {
  const unknown = Object.keys(hash).filter((key) => !allowed.has(key));
  if (unknown.length === 0) return;
  const owner = ['header', ...path].join(':');
  report([...path, unknown[0] as string], `${owner} config contains unknown keys: ${unknown.join(', ')}`);
}

function readInputSpec(name: string, value: Value, report: Report): InputSpec | undefined {
  const path = ['spec', 'inputs', name];
  const prefix = `header:${path.join(':')}`;
  const hash = readHash(value, path, report);
  if (hash === undefined) return undefined;
  checkKeys(hash, KEYS, path, report);
  const { type = 'string', description, options, regex } = hash;
  if (!TYPES.has(type)) {
    report([...path, 'type'], `${prefix} input type unknown value: ${String(type)}`);
    return undefined;
  }
  if (description !== undefined && typeof description !== 'string') {
    report([...path, 'description'], `${prefix} description should be a string`);
  }
  if (regex !== undefined && typeof regex !== 'string') {
    report([...path, 'regex'], `${prefix} regex should be a string`);
  }
  if (options !== undefined && !Array.isArray(options)) {
    report([...path, 'options'], `${prefix} options should be an array`);
  }
  if (Array.isArray(options) && options.length > MOST_OPTIONS) {
    report([...path, 'options'], `${prefix} options cannot have more than ${MOST_OPTIONS} entries`);
  }
  if (options !== undefined && regex !== undefined) {
    report(path, `${prefix} config please use only one of the following keys: options, regex`);
  }
  return {
    name,
    type: type as InputType,
    default: hash.default,
    description: typeof description === 'string' ? description : undefined,
    options: Array.isArray(options) ? options : undefined,
    regex: typeof regex === 'string' ? regex : undefined,
  };
}

/**
 * The inputs that the header of a file declares, in its order; null without a header, which takes none.
 * @throws ConfigurationError with all problems of the header, 100 at most
 */
export function readInputSpecs(header: Hash | null, source: HeaderSource = {}): InputSpec[] | null {
  if (header === null) return null;
  const problems: Problem[] = [];
  const report: Report = (path, message) => {
    if (problems.length < MOST_PROBLEMS) {
      problems.push({ message, file: source.file, position: source.locate?.(path) });
    }
  };
  const specs: InputSpec[] = [];
  checkKeys(header, new Set(['spec']), [], report);
  const spec = readHash(header.spec, ['spec'], report);
  if (spec !== undefined) {
    checkKeys(spec, new Set(['inputs']), ['spec'], report);
    const inputs = readHash(spec.inputs, ['spec', 'inputs'], report) ?? {};
    for (const name of Object.keys(inputs)) {
      const input = readInputSpec(name, inputs[name] as Value, report);
      if (input !== undefined) specs.push({ ...input, position: source.locate?.(['spec', 'inputs', name]) });
    }
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return specs;
}
