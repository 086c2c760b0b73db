/*
 * Keywords of configuration files that the editor completes, each with its meaning in a few words. Those that the
 * service refuses (`shared/ci/configuration/keywords.ts`) are not offered.
 */

export type KeywordList = Readonly<Record<string, string>>;

/** Keywords of the whole file, beside the names of jobs. */
const TOP_LEVEL_KEYWORDS: KeywordList = {
  default: 'defaults of all jobs',
  include: 'other configuration files',
  spec: 'inputs of this file',
  stages: 'names and order of the stages',
  variables: 'variables of all jobs',
  workflow: 'when pipelines are created',
};

/** Keywords of `default`, and of jobs too. */
const DEFAULT_KEYWORDS: KeywordList = {
  after_script: 'commands after the script',
  artifacts: 'files that a job passes on',
  before_script: 'commands before the script',
  cache: 'files to keep between jobs',
  hooks: 'commands at points of a run',
  image: 'container image',
  interruptible: 'whether a newer pipeline cancels the job',
  retry: 'how often a job is retried after a failure',
  services: 'more container images',
  tags: 'tags of the runner',
  timeout: 'longest run time',
};

const JOB_KEYWORDS: KeywordList = {
  ...DEFAULT_KEYWORDS,
  allow_failure: 'whether the pipeline continues after a failure',
  coverage: 'pattern that finds the test coverage',
  dependencies: 'jobs whose artifacts are loaded',
  environment: 'environment that the job deploys to',
  except: 'refs without the job; rules replace it',
  extends: 'configuration to inherit from',
  inherit: 'defaults to inherit',
  needs: 'jobs to wait for, instead of the stage',
  only: 'refs with the job; rules replace it',
  parallel: 'number of copies of the job',
  resource_group: 'jobs that never run at the same time',
  rules: 'when the job is in a pipeline',
  script: 'commands of the job',
  stage: 'stage of the job',
  start_in: 'delay of a delayed job',
  variables: 'variables of the job',
  when: 'condition to run the job',
};

const RULE_KEYWORDS: KeywordList = {
  allow_failure: 'whether the pipeline continues after a failure',
  changes: 'files that must have changed',
  exists: 'files that must exist',
  if: 'condition on variables',
  needs: 'jobs to wait for',
  variables: 'variables if the rule matches',
  when: 'condition to run the job, or never',
};

/** Keywords below others. */
const NESTED_KEYWORDS: Readonly<Record<string, KeywordList>> = {
  artifacts: {
    exclude: 'files to leave out',
    expire_in: 'time until they are deleted',
    expose_as: 'name in merge requests',
    name: 'name of the archive',
    paths: 'files to keep',
    reports: 'reports to collect',
    untracked: 'whether files outside git are kept',
    when: 'on_success, on_failure or always',
  },
  cache: {
    fallback_keys: 'caches to use if there is none',
    key: 'name of the cache',
    paths: 'files to keep',
    policy: 'pull, push or both',
    untracked: 'whether files outside git are kept',
    when: 'on_success, on_failure or always',
  },
  default: DEFAULT_KEYWORDS,
  environment: {
    action: 'start, prepare, stop, verify or access',
    auto_stop_in: 'time until it is stopped',
    deployment_tier: 'production, staging, testing, development or other',
    name: 'name of the environment',
    on_stop: 'job that stops it',
    url: 'address of the environment',
  },
  include: {
    inputs: 'values of the inputs of the file',
    local: 'file of this repository',
    project: 'project of the file',
    ref: 'branch, tag or commit of the file',
    remote: 'address of the file',
    rules: 'when the file is included',
  },
  needs: {
    artifacts: 'whether its artifacts are loaded',
    job: 'name of the job',
    optional: 'whether the job may be absent',
  },
  rules: RULE_KEYWORDS,
  variables: {},
  workflow: { auto_cancel: 'what cancels older pipelines', name: 'name of the pipeline', rules: 'when there is one' },
};

/** Top-level keywords that are not jobs and have no keywords below them. */
const WITHOUT_KEYWORDS = new Set(['spec', 'stages']);

const WHEN_VALUES: KeywordList = {
  always: 'whatever became of earlier stages',
  delayed: 'after a delay',
  manual: 'when somebody starts it',
  never: 'not at all',
  on_failure: 'if an earlier stage failed',
  on_success: 'if earlier stages succeeded',
};

const BOOLEANS: KeywordList = { false: '', true: '' };

/** Values of keywords. */
export const KEYWORD_VALUES: Readonly<Record<string, KeywordList>> = {
  allow_failure: BOOLEANS,
  interruptible: BOOLEANS,
  optional: BOOLEANS,
  untracked: BOOLEANS,
  when: WHEN_VALUES,
};

/**
 * Keywords that can stand below others.
 * @param parents keys above, the innermost first
 */
export function keywordsBelow(parents: readonly string[]): KeywordList {
  const [parent, ...above] = parents;
  if (parent === undefined) return TOP_LEVEL_KEYWORDS;
  const nested = Object.hasOwn(NESTED_KEYWORDS, parent) ? NESTED_KEYWORDS[parent] : undefined;
  if (nested) return nested;
  return above.length === 0 && !WITHOUT_KEYWORDS.has(parent) ? JOB_KEYWORDS : {};
}
