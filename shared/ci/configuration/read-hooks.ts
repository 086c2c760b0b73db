import type { JobConfig, Value } from '../configuration-model/configuration.types.js';
import { enterKey, pickValue } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readHash, readScript } from './read-shapes.js';

/** Reads `hooks`. */
export function readHooks(value: Value, at: KeywordScope): JobConfig['hooks'] | undefined {
  const hash = readHash(value, at, ['pre_get_sources_script']);
  if (!hash) return undefined;
  const script = pickValue(hash, 'pre_get_sources_script');
  const commands = script === undefined ? [] : readScript(script, enterKey(at, 'pre_get_sources_script'));
  return { pre_get_sources_script: commands ?? [] };
}
