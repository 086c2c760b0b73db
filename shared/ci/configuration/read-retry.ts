import { isHash } from '../configuration-model/configuration.types.js';
import type { RetryConfig, Value } from '../configuration-model/configuration.types.js';
import { enterAttribute, pickValue, reject } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { checkKeys, readInteger, readIntegers, readStringOrStrings } from './read-shapes.js';

const KEYS = ['max', 'when', 'exit_codes'];
const RETRY_LIMIT = 2;

/** Reasons after which a job can be tried again. */
const RETRY_REASONS: readonly string[] =
  `always unknown_failure script_failure api_failure stuck_or_timeout_failure runner_system_failure
   runner_unsupported stale_schedule job_execution_timeout archived_failure unmet_prerequisites scheduler_failure
   data_integrity_failure runner_external_dependency_failure server_timeout_canceling`.split(/\s+/);

/** Reads `retry`: how often, or a hash that also tells after what. */
export function readRetry(value: Value, at: KeywordScope): RetryConfig | undefined {
  if (typeof value === 'number') {
    const max = readInteger(value, at, 0, RETRY_LIMIT);
    return max === undefined ? undefined : { max, when: ['always'], exit_codes: [] };
  }
  if (!isHash(value)) return reject(at, 'has to be either an integer or a hash');
  checkKeys(value, at, KEYS);
  const [max, when, codes] = KEYS.map((key) => pickValue(value, key));
  const exit_codes = codes === undefined ? [] : (readIntegers(codes, enterAttribute(at, 'exit_codes')) ?? []);
  const defaults = codes === undefined ? ['always'] : [];
  const reasons = when === undefined ? defaults : readReasons(when, enterAttribute(at, 'when'));
  return {
    max: max === undefined ? 0 : (readMax(max, enterAttribute(at, 'max')) ?? 0),
    when: reasons ?? [],
    exit_codes,
  };
}

function readMax(value: Value, at: KeywordScope): number | undefined {
  return typeof value === 'number' ? readInteger(value, at, 0, RETRY_LIMIT) : reject(at, 'is not a number');
}

function readReasons(value: Value, at: KeywordScope): string[] | undefined {
  const reasons = readStringOrStrings(value, at);
  const unknown = reasons?.filter((reason) => !RETRY_REASONS.includes(reason)) ?? [];
  if (unknown.length === 0) return reasons;
  const list = `contains unknown values: ${unknown.join(', ')}`;
  return reject(at, Array.isArray(value) ? list : 'is not included in the list');
}
