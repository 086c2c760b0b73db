import { ConfigurationError, isHash } from '../configuration-model/configuration.types.js';
import type { Hash, PipelineConfig } from '../configuration-model/configuration.types.js';
import { openReading, openScope, pickValue, reject, rejectWhole } from './keyword-scope.js';
import type { KeywordOptions, KeywordProblem, Reading } from './keyword-scope.js';
import { findKeyword } from './keywords.js';
import { readJobs } from './read-jobs.js';
import { readKeyword, readKeywords } from './read-keywords.js';
import type { KeywordDraft } from './read-keywords.js';

const DEFAULT_STAGES = ['build', 'test', 'deploy'];
const FIRST_STAGE = '.pre';
const LAST_STAGE = '.post';

/**
 * Reads a file after includes, `extends` and references were resolved: checks every keyword, applies defaults and lists
 * the visible jobs. Problems carry the keys that lead to them (`KeywordProblem.path`), so that the caller can add
 * positions.
 * @throws ConfigurationError with all errors, at most 100, in the order of the file.
 */
export function readPipelineConfig(content: Hash, options: KeywordOptions = {}): PipelineConfig {
  const reading = openReading(options);
  const globals = readGlobals(content, reading);
  const failed = pickValue(content, 'stages') !== undefined && !globals.stages;
  const stages = listStages(globals.stages ?? DEFAULT_STAGES);
  const workflow = globals.workflow ?? { name: null, rules: null, auto_cancel: {} };
  const jobs = readJobs(content, reading, {
    defaults: readDefaults(content, reading, globals),
    stages: failed ? null : stages,
    workflowRules: workflow.rules !== null,
  });
  if (reading.errors.length > 0) throw new ConfigurationError(sortProblems(reading.errors, content));
  const warnings = sortProblems(reading.warnings, content);
  return { stages, variables: globals.variables ?? Object.create(null), workflow, jobs, warnings };
}

function readGlobals(content: Hash, reading: Reading): KeywordDraft {
  const draft: KeywordDraft = {};
  for (const key of Object.keys(content)) {
    const name = findKeyword(key, 'global');
    if (name) readKeyword(content, name, openScope(reading, name), 'global', draft);
  }
  return draft;
}

/** What jobs take as defaults: `default`, and the older keywords at the top of the file. */
function readDefaults(content: Hash, reading: Reading, globals: KeywordDraft): KeywordDraft {
  const { image, services, cache, before_script, after_script } = globals;
  const older: KeywordDraft = { image, services, cache, before_script, after_script };
  const value = pickValue(content, 'default');
  if (value === undefined) return older;
  const at = openScope(reading, 'default');
  if (!isHash(value)) {
    reject(at, 'should be a hash');
    return older;
  }
  for (const name of Object.keys(older))
    if (pickValue(content, name) !== undefined && pickValue(value, name) !== undefined)
      rejectWhole({ ...at, path: ['default', name] }, `${name} is defined in top-level and \`default:\` entry`);
  return { ...older, ...readKeywords(value, at, 'default') };
}

function listStages(stages: readonly string[]): string[] {
  const between = stages.filter((stage) => stage !== FIRST_STAGE && stage !== LAST_STAGE);
  return [FIRST_STAGE, ...new Set(between), LAST_STAGE];
}

/** Sorts by the order of the file's top; problems of the whole file come last. */
function sortProblems(problems: KeywordProblem[], content: Hash): KeywordProblem[] {
  const ranks = new Map(Object.keys(content).map((key, index) => [key, index]));
  const rank = ({ path }: KeywordProblem): number => (path[0] === undefined ? ranks.size : (ranks.get(path[0]) ?? 0));
  return problems.sort((a, b) => rank(a) - rank(b));
}
