/** A value of a configuration file, after YAML was read. Hashes are plain objects without a prototype's keys. */
export type Value = null | boolean | number | string | Reference | Value[] | { [key: string]: Value };
export type Hash = { [key: string]: Value };

/** `!reference [job, key, …]`, which is replaced by what it names after `extends`. */
export class Reference {
  constructor(readonly path: readonly string[]) {}
}

/** Whether a value is a hash: neither a list nor a reference. */
export function isHash(value: Value | undefined): value is Hash {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Reference);
}

/** Where a text stands in a file; both count from 1. */
export interface FilePosition {
  line: number;
  column: number;
}

/** An error or a warning. `message` is the public API's text; the position is told where it is known. */
export interface Problem {
  message: string;
  /** The location of the file, as in `IncludedFile.location`; left out for the file itself. */
  file?: string | undefined;
  position?: FilePosition | undefined;
}

/** A configuration cannot be used. */
export class ConfigurationError extends Error {
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[] | string) {
    const all = typeof problems === 'string' ? [{ message: problems }] : problems;
    super(all[0]?.message);
    this.problems = all;
  }
}

/** A variable of a configuration, or of a rule. */
export interface VariableConfig {
  value: string;
  /** Whether the runner expands `$NAME` in it. */
  expand: boolean;
  description?: string | undefined;
  options?: string[] | undefined;
}
export type Variables = Record<string, VariableConfig>;

export type When = 'on_success' | 'on_failure' | 'always' | 'manual' | 'delayed' | 'never';
export type AllowFailure = boolean | { exit_codes: number[] };

/** `changes` of a rule, of `only` and of `except`. */
export interface ChangesClause {
  paths: string[];
  compare_to?: string | undefined;
}
/** `exists` of a rule. */
export interface ExistsClause {
  paths: string[];
  project?: string | undefined;
  ref?: string | undefined;
}

/** One rule of a job, of `workflow` or of an include: whatever is given must hold. */
export interface RuleConfig {
  if?: string | undefined;
  changes?: ChangesClause | undefined;
  exists?: ExistsClause | undefined;
  when?: When | undefined;
  start_in?: number | undefined;
  allow_failure?: AllowFailure | undefined;
  variables?: Variables | undefined;
  needs?: NeedConfig[] | undefined;
  interruptible?: boolean | undefined;
  /** Of `workflow:rules` only. */
  auto_cancel?: AutoCancel | undefined;
}

export interface AutoCancel {
  on_new_commit?: 'conservative' | 'interruptible' | 'none' | undefined;
  on_job_failure?: 'none' | 'all' | undefined;
}

/** `only` or `except`. */
export interface RefPolicy {
  refs?: string[] | undefined;
  variables?: string[] | undefined;
  changes?: string[] | undefined;
  kubernetes?: 'active' | undefined;
}

export interface NeedConfig {
  job: string;
  artifacts: boolean;
  optional: boolean;
  /** Of `needs:parallel:matrix`: the variables of the jobs that are meant. */
  matrix?: Record<string, string[]>[] | undefined;
}

export interface ImageConfig {
  name: string;
  entrypoint?: string[] | undefined;
  pull_policy?: string[] | undefined;
  docker?: { platform?: string; user?: string } | undefined;
  kubernetes?: { user?: string } | undefined;
}
export interface ServiceConfig extends ImageConfig {
  alias?: string | undefined;
  command?: string[] | undefined;
  variables?: Variables | undefined;
}

export interface ArtifactsConfig {
  paths: string[];
  exclude: string[];
  untracked: boolean;
  name?: string | undefined;
  when: 'on_success' | 'on_failure' | 'always';
  /** As written: `1 week`, `never`. */
  expire_in?: string | undefined;
  access: 'all' | 'developer' | 'maintainer' | 'none';
  expose_as?: string | undefined;
  /** Paths by kind of report: `dotenv`, `junit`. */
  reports: Record<string, string[]>;
}

export interface CacheConfig {
  key: string | { files: string[]; prefix?: string | undefined };
  paths: string[];
  untracked: boolean;
  policy: string;
  when: 'on_success' | 'on_failure' | 'always';
  unprotect: boolean;
  fallback_keys: string[];
}

export interface RetryConfig {
  max: number;
  when: string[];
  exit_codes: number[];
}

export interface EnvironmentConfig {
  name: string;
  url?: string | undefined;
  action: 'start' | 'prepare' | 'stop' | 'verify' | 'access';
  on_stop?: string | undefined;
  auto_stop_in?: string | undefined;
  deployment_tier?: string | undefined;
}

/** A job as its configuration describes it: checked, with defaults applied, before `parallel` and rules. */
export interface JobConfig {
  name: string;
  stage: string;
  before_script: string[];
  script: string[];
  after_script: string[];
  hooks: { pre_get_sources_script: string[] };
  image: ImageConfig | null;
  services: ServiceConfig[];
  tags: string[];
  cache: CacheConfig[];
  artifacts: ArtifactsConfig | null;
  /** Of the job alone. */
  variables: Variables;
  /** Which global variables the job takes. */
  inherit_variables: boolean | string[];
  rules: RuleConfig[] | null;
  only: RefPolicy | null;
  except: RefPolicy | null;
  when: When;
  /** Seconds. */
  start_in: number | null;
  allow_failure: AllowFailure;
  /** null: the job waits for the stages before its own. */
  needs: NeedConfig[] | null;
  dependencies: string[] | null;
  parallel: number | { matrix: Record<string, string[]>[] } | null;
  retry: RetryConfig | null;
  /** Seconds. */
  timeout: number | null;
  interruptible: boolean;
  resource_group: string | null;
  /** An expression, without its slashes. */
  coverage: string | null;
  environment: EnvironmentConfig | null;
}

export interface WorkflowConfig {
  name: string | null;
  rules: RuleConfig[] | null;
  auto_cancel: AutoCancel;
}

/** A whole configuration, checked. */
export interface PipelineConfig {
  /** With `.pre` and `.post`. */
  stages: string[];
  variables: Variables;
  workflow: WorkflowConfig;
  /** In the order of the file; hidden ones left out. */
  jobs: JobConfig[];
  warnings: Problem[];
}
