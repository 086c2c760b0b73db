import type { AutoCancel, Value } from '../configuration-model/configuration.types.js';
import { enterAttribute, pickValue } from './keyword-scope.js';
import type { KeywordScope } from './keyword-scope.js';
import { readHash, makeChoiceReader } from './read-shapes.js';

const NEW_COMMIT = ['conservative', 'interruptible', 'none'] as const;
const JOB_FAILURE = ['none', 'all'] as const;

const readOnNewCommit = makeChoiceReader(NEW_COMMIT, `must be one of: ${NEW_COMMIT.join(', ')}`);
const readOnJobFailure = makeChoiceReader(JOB_FAILURE, `must be one of: ${JOB_FAILURE.join(', ')}`);

/** Reads `auto_cancel` of `workflow` or of one of its rules. */
export function readAutoCancel(value: Value, at: KeywordScope): AutoCancel | undefined {
  const hash = readHash(value, at, ['on_new_commit', 'on_job_failure']);
  if (!hash) return undefined;
  const result: AutoCancel = {};
  const commit = pickValue(hash, 'on_new_commit');
  if (commit !== undefined) result.on_new_commit = readOnNewCommit(commit, enterAttribute(at, 'on_new_commit'));
  const failure = pickValue(hash, 'on_job_failure');
  if (failure !== undefined) result.on_job_failure = readOnJobFailure(failure, enterAttribute(at, 'on_job_failure'));
  return result;
}
