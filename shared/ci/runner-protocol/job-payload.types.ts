/* What a runner is sent with a job. Its program decodes this into fixed types: with another type the job is lost. */

/** The last variable of a name counts. */
export interface HandedVariable {
  key: string;
  value: string;
  /** Its value may be shown. */
  public: boolean;
  /** The runner writes the value into a file, and sets the variable to the file's path. */
  file: boolean;
  /** The runner hides the value in the log. */
  masked: boolean;
  /** References to other variables stay as they are. */
  raw: boolean;
}

export interface PayloadStep {
  name: 'script' | 'after_script';
  script: string[];
  /** Seconds. */
  timeout: number;
  when: 'always' | 'on_success';
  allow_failure: boolean;
}

interface PayloadHook {
  name: 'pre_get_sources_script';
  script: string[];
}

/** Any other key fails the job. */
interface ExecutorOptions {
  docker?: { platform?: string; user?: string };
  kubernetes?: { user?: string };
}

export interface PayloadImage {
  name: string;
  entrypoint: string[] | null;
  pull_policy: string[];
  executor_opts: ExecutorOptions;
}

export interface PayloadService extends PayloadImage {
  alias: string | null;
  command: string[] | null;
  variables: HandedVariable[];
}

export interface PayloadCache {
  key: string;
  untracked: boolean;
  policy: string;
  paths: string[];
  when: string;
  fallback_keys: string[];
}

interface PayloadJobInfo {
  name: string;
  stage: string;
  pipeline_id: number;
  project_id: number;
  project_name: string;
  project_full_path: string;
  namespace_id: number;
  root_namespace_id: number;
  organization_id: number;
  instance_id: string;
  instance_uuid: string;
  user_id: number;
  scoped_user_id: number | null;
  time_in_queue_seconds: number;
  /** `0` to `5+`, or `+Inf` where it is not counted. */
  project_jobs_running_on_instance_runners_count: string;
  /** Jobs that wait, and those before this one. */
  queue_size: number;
  queue_depth: number;
}

export interface PayloadGitInfo {
  repo_url: string;
  repo_object_format: 'sha1' | 'sha256';
  ref: string;
  sha: string;
  before_sha: string;
  ref_type: 'branch' | 'tag';
  refspecs: string[];
  /** 0 fetches all of the history. */
  depth: number;
  protected: boolean;
}

/** A job as it is handed to a runner (ci-execution.md 10 and 22). */
export interface RunnerPayload {
  id: number;
  token: string;
  allow_git_fetch: boolean;
  inputs: never[];
  credentials: never[];
  job_info: PayloadJobInfo;
  git_info: PayloadGitInfo;
  runner_info: { timeout: number; uuid: string; runner_session_url: null };
  steps: PayloadStep[];
  hooks: PayloadHook[];
  image: PayloadImage | null;
  services: PayloadService[];
  artifacts: never[];
  cache: PayloadCache[];
  dependencies: never[];
  variables: HandedVariable[];
  features: { trace_sections: boolean; token_mask_prefixes: string[]; failure_reasons: string[] };
}
