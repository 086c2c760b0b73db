import { isHash } from '../configuration-model/configuration.types.js';
import type { Hash, RuleConfig, Value } from '../configuration-model/configuration.types.js';
import { readIntegrity } from './include-integrity.js';
import { IncludeError, readIncludeRules } from './include-rules.js';
import { createEmptyHash, readKey } from './merge-hashes.js';

const SOURCES = ['local', 'project', 'remote'];
const UNSUPPORTED = ['template', 'component', 'artifact'];
const KEYS = [...SOURCES, ...UNSUPPORTED, 'file', 'ref', 'job', 'rules', 'inputs', 'integrity'];
/** Characters of a path, an address, a project or a ref, before and after its variables are replaced. */
const MAX_TEXT = 1024;
const MAX_EXTRACT = 255;

/** One entry of `include`, with its variables replaced. */
export interface IncludeEntry {
  source:
    | { kind: 'local'; path: string }
    | { kind: 'project'; project: string; paths: string[]; ref?: string }
    | { kind: 'remote'; url: string };
  rules: RuleConfig[];
  inputs: Hash;
  /** The SHA-256 that the file must have, in base 64. */
  integrity: string | null;
}

/** The items of an `include`: one alone may stand without an array. */
export function listIncludeItems(value: Value): Value[] {
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/**
 * Reads one item of `include`.
 * @param expand replaces variables
 * @throws IncludeError with the public text, for what is not written as it must be or not supported
 */
export function readIncludeEntry(item: Value, expand: (text: string) => string): IncludeEntry {
  if (typeof item === 'string') return readTextEntry(expandText('location', item, expand));
  if (!isHash(item)) throw new IncludeError('include config should be a string or a hash');
  checkKeys(item);
  const inputs = readKey(item, 'inputs') ?? createEmptyHash();
  if (!isHash(inputs)) throw new IncludeError('include:inputs config should be a hash');
  return {
    source: readSource(item, expand),
    rules: readIncludeRules(readKey(item, 'rules') ?? null),
    inputs,
    integrity: readIntegrity(item),
  };
}

function readTextEntry(text: string): IncludeEntry {
  const source = isAddress(text) ? { kind: 'remote' as const, url: text } : { kind: 'local' as const, path: text };
  return { source, rules: [], inputs: createEmptyHash(), integrity: null };
}

const isAddress = (text: string) => /^https?:\/\//i.test(text);

function checkKeys(item: Hash): void {
  const unsupported = UNSUPPORTED.find((key) => Object.hasOwn(item, key));
  if (unsupported !== undefined) throw new IncludeError(`include:${unsupported} is not supported by this service`);
  const sources = SOURCES.filter((key) => isPresent(readKey(item, key)));
  const list = SOURCES.map((key) => `\`${key}\``).join(', ');
  if (sources.length === 0) {
    const text = JSON.stringify(item).slice(0, MAX_EXTRACT);
    throw new IncludeError(`\`${text}\` does not have a valid subkey for include. Valid subkeys are: ${list}`);
  }
  if (sources.length > 1) throw new IncludeError(`Each include must use only one of: ${list}`);
  const unknown = Object.keys(item).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0) throw new IncludeError(`include config contains unknown keys: ${unknown.join(', ')}`);
}

const isPresent = (value: Value | undefined) => value !== undefined && value !== null && value !== '';

function readSource(item: Hash, expand: (text: string) => string): IncludeEntry['source'] {
  const read = (key: string) => expandText(key, readKey(item, key), expand);
  if (isPresent(readKey(item, 'local'))) return { kind: 'local', path: read('local') };
  if (isPresent(readKey(item, 'remote'))) return { kind: 'remote', url: read('remote') };
  const files = readKey(item, 'file');
  if (!isPresent(files) || (Array.isArray(files) && files.length === 0))
    throw new IncludeError('include config must specify the file where to fetch the config from');
  const paths = (Array.isArray(files) ? files : [files]).map((path) => expandText('file', path, expand));
  const source = { kind: 'project' as const, project: read('project'), paths };
  return isPresent(readKey(item, 'ref')) ? { ...source, ref: read('ref') } : source;
}

function expandText(key: string, value: Value | undefined, expand: (text: string) => string): string {
  if (typeof value !== 'string') throw new IncludeError(`include:${key} config should be a string`);
  const text = value.length > MAX_TEXT ? value : expand(value);
  if (text.length <= MAX_TEXT) return text;
  throw new IncludeError(`include:${key} config is too long (maximum is ${MAX_TEXT} characters)`);
}
