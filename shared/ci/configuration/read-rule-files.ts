import { isHash } from '../configuration-model/configuration.types.js';
import type { ChangesClause, ExistsClause, Hash, Value } from '../configuration-model/configuration.types.js';
import { enterAttribute, pickValue, reject } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { checkKeys, readString, readStrings } from './read-shapes.js';

/** How many patterns one clause may have. */
const PATTERN_LIMIT = 50;

/** Reads `changes` of a rule: patterns, or a hash with `paths` and `compare_to`. */
export function readChanges(value: Value, at: KeywordScope): ChangesClause | undefined {
  if (Array.isArray(value)) return wrapPaths(readPaths(value, at));
  if (!isHash(value)) return reject({ ...at, title: at.label }, 'should be an array or a hash');
  checkKeys(value, at, ['paths', 'compare_to']);
  const paths = requirePaths(value, at);
  const compare_to = readText(value, at, 'compare_to');
  return paths && (compare_to === undefined ? { paths } : { paths, compare_to });
}

/** Reads `exists` of a rule: one pattern, several, or a hash with `paths`, `project` and `ref`. */
export function readExists(value: Value, at: KeywordScope): ExistsClause | undefined {
  if (typeof value === 'string') return { paths: [value] };
  if (Array.isArray(value)) return wrapPaths(readPaths(value, at));
  if (!isHash(value)) return reject({ ...at, title: at.label }, 'should be a string, an array of strings, or a hash');
  checkKeys(value, at, ['paths', 'project', 'ref']);
  const paths = requirePaths(value, at);
  const [project, ref] = [readText(value, at, 'project'), readText(value, at, 'ref')];
  if (pickValue(value, 'ref') !== undefined && pickValue(value, 'project') === undefined)
    return reject(at, 'missing required keys: project');
  if (!paths || project === undefined) return wrapPaths(paths);
  return ref === undefined ? { paths, project } : { paths, project, ref };
}

function wrapPaths(paths: string[] | undefined): { paths: string[] } | undefined {
  return paths && { paths };
}

function requirePaths(hash: Hash, at: KeywordScope): string[] | undefined {
  const paths = pickValue(hash, 'paths');
  if (paths === undefined) return reject(at, 'missing required keys: paths');
  return readPaths(paths, enterAttribute(at, 'paths'));
}

function readPaths(value: Value, at: KeywordScope): string[] | undefined {
  const paths = readStrings(value, at);
  if (!paths || paths.length <= PATTERN_LIMIT) return paths;
  return reject(at, `has too many entries (maximum ${PATTERN_LIMIT})`);
}

function readText(hash: Hash, at: KeywordScope, key: string): string | undefined {
  const value = pickValue(hash, key);
  return value === undefined ? undefined : readString(value, enterAttribute(at, key));
}
