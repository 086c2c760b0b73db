import { isHash } from '../configuration-model/configuration.types.js';
import type {
  ChangesClause,
  ExistsClause,
  Hash,
  RuleConfig,
  Value,
} from '../configuration-model/configuration.types.js';
import { readKey } from './merge-hashes.js';

const KEYS = ['if', 'exists', 'changes', 'when'];
const MAX_PATHS = 50;
const MAX_DEPTH = 10;

/** An `include` is not written as it must be; the message is the public text. */
export class IncludeError extends Error {}

/** The `rules` of an include. @throws IncludeError */
export function readIncludeRules(value: Value): RuleConfig[] {
  if (value === null) return [];
  const rules: unknown[] = Array.isArray(value) ? value.flat(MAX_DEPTH) : [value];
  if (!Array.isArray(value) || !(rules as Value[]).every((rule) => isHash(rule)))
    throw new IncludeError('include:rules config should be an array of hashes');
  return (rules as Hash[]).map(readRule);
}

function readRule(rule: Hash): RuleConfig {
  const unknown = Object.keys(rule).filter((key) => !KEYS.includes(key));
  if (unknown.length > 0)
    throw new IncludeError(`include:rules:rule config contains unknown keys: ${unknown.join(', ')}`);
  const condition = readKey(rule, 'if') ?? undefined;
  if (condition !== undefined && typeof condition !== 'string')
    throw new IncludeError('include:rules:rule if should be a string');
  const when = readKey(rule, 'when') ?? undefined;
  if (when !== undefined && when !== 'always' && when !== 'never')
    throw new IncludeError(`include:rules:rule when unknown value: ${typeof when === 'string' ? when : 'null'}`);
  return { if: condition, when, exists: readExists(rule), changes: readChanges(rule) };
}

function readExists(rule: Hash): ExistsClause | undefined {
  const value = readKey(rule, 'exists') ?? undefined;
  if (!isHash(value)) return value === undefined ? undefined : { paths: readPaths('exists', value) };
  checkKeys('exists', value, ['paths', 'project', 'ref']);
  const [project, ref] = ['project', 'ref'].map((key) => readText('exists', value, key));
  return { paths: readPaths('exists', readKey(value, 'paths')), project, ref };
}

function readChanges(rule: Hash): ChangesClause | undefined {
  const value = readKey(rule, 'changes') ?? undefined;
  if (!isHash(value)) return value === undefined ? undefined : { paths: readPaths('changes', value) };
  checkKeys('changes', value, ['paths', 'compare_to']);
  const compareTo = readText('changes', value, 'compare_to');
  return { paths: readPaths('changes', readKey(value, 'paths')), compare_to: compareTo };
}

function checkKeys(clause: string, value: Hash, keys: string[]): void {
  const unknown = Object.keys(value).filter((key) => !keys.includes(key));
  if (unknown.length === 0) return;
  throw new IncludeError(`include:rules:rule:${clause} config contains unknown keys: ${unknown.join(', ')}`);
}

function readText(clause: string, value: Hash, key: string): string | undefined {
  const text = readKey(value, key) ?? undefined;
  if (text === undefined || typeof text === 'string') return text;
  throw new IncludeError(`include:rules:rule:${clause}:${key} config should be a string`);
}

function readPaths(clause: string, value: Value | undefined): string[] {
  const paths: unknown[] = Array.isArray(value) ? value.flat(MAX_DEPTH) : [value];
  if (!paths.every((path) => typeof path === 'string'))
    throw new IncludeError(`include:rules:rule:${clause} config should be an array of strings`);
  if (paths.length > MAX_PATHS)
    throw new IncludeError(`include:rules:rule:${clause} config has too many entries (maximum ${MAX_PATHS})`);
  return paths;
}
