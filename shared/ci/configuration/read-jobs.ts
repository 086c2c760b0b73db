import { isHash } from '../configuration-model/configuration.types.js';
import type { Hash, JobConfig, Value } from '../configuration-model/configuration.types.js';
import { openJobScope, reject, rejectWhole } from './keyword-scope.js';
import type { Reading, KeywordScope } from './keyword-scope.js';
import { findKeyword } from './keywords.js';
import { checkJobKind, readJobConfig } from './read-job.js';
import type { JobFrame } from './read-job.js';
import { exceedsLength } from './read-shapes.js';

const NAME_LIMIT = 255;
/** Names that YAML or the public server take for something else. */
const FORBIDDEN_NAMES = ['true', 'false', 'nil'];

/** Reads all jobs of a file, in its order; hidden ones (`.x`) are neither checked nor read. */
export function readJobs(content: Hash, reading: Reading, frame: JobFrame): JobConfig[] {
  const names = Object.keys(content).filter((name) => !name.startsWith('.') && findKeyword(name, 'global') === null);
  if (names.length === 0) {
    const nowhere: KeywordScope = { reading, label: 'jobs', title: 'jobs config', path: [], job: null };
    reject(nowhere, 'should contain at least one visible job');
  }
  return names.map((name) => readVisibleJob(name, content[name] ?? null, reading, frame)).filter((job) => job !== null);
}

function readVisibleJob(name: string, value: Value, reading: Reading, frame: JobFrame): JobConfig | null {
  const at = openJobScope(reading, name);
  if (!checkName(name, at)) return null;
  const hash = isHash(value) ? value : {};
  return checkJobKind(name, hash, at) ? readJobConfig(name, hash, at, frame) : null;
}

function checkName(name: string, at: KeywordScope): boolean {
  if (name.trim() === '') rejectWhole(at, "jobs:job name can't be blank");
  else if (FORBIDDEN_NAMES.includes(name)) rejectWhole(at, `jobs:${name} name should be a symbol`);
  else if (exceedsLength(name, NAME_LIMIT))
    rejectWhole(at, `jobs:${name} name is too long (maximum is ${NAME_LIMIT} characters)`);
  else return true;
  return false;
}
