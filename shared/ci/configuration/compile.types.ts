import type {
  FileOrigin,
  IncludeAnswer,
  IncludedFile,
  IncludeRequest,
} from '../configuration-files/expand-includes.js';
import type { RuleExplanation } from '../rules/rules.types.js';
import type { ExpandedJob } from './expand-parallel.js';
import type { Problem, Variables, WorkflowConfig } from '../configuration-model/configuration.types.js';

/** A variable that a pipeline has before its file is read. */
export interface PresetVariable {
  value: string;
  /** Its value must not appear in anything that callers see. */
  masked: boolean;
  /** Explanations tell only that it is set, whether it is masked or not. */
  secret: boolean;
  /** Whether `$NAME` in it is expanded. */
  expand: boolean;
}

/** A configuration to be compiled; everything in it can be sent to a thread. */
export interface CompileRequest {
  text: string;
  /** Of the file in git, if it lies there. */
  blob_id?: string | null;
  /** Path of the file, for messages. */
  location: string;
  origin: FileOrigin;
  /** Values for `spec:inputs`. */
  inputs: Record<string, unknown>;
  /** Short name of the branch or tag. */
  ref: string;
  isTag: boolean;
  source: string;
  projectPath: string;
  /** Of the pipeline, its project, groups and the instance, in the order of their precedence. */
  variables: Record<string, PresetVariable>;
  /** Lower than those of the file. */
  predefined: Record<string, string>;
  limits: CompileLimits;
  /** Whether rules are evaluated; without it every job is in the result. */
  evaluatesRules: boolean;
  /** Whether the merged file is wanted as YAML. */
  merged: boolean;
}

interface CompileLimits {
  /** `needs` of a job. */
  needs: number;
  /** Jobs of a pipeline; 0 is no limit. */
  pipelineSize: number;
}

/** One file to be included: the thread resolves globs itself, since comparing them with a large tree takes its time. */
export type FileRequest = Exclude<IncludeRequest, { kind: 'local-glob' }>;

/** What the thread needs to know of the repository and of other files. */
export type DataRequest =
  | { kind: 'include'; request: FileRequest }
  | { kind: 'changed'; compareTo: string | null }
  | { kind: 'tree'; project: string | null; ref: string | null };

/** `rejected` for a ref or a project that there is not; null for paths that are not known, or are too many. */
export type DataAnswer =
  | { kind: 'include'; answer: IncludeAnswer }
  | { kind: 'paths'; paths: string[] | null }
  | { kind: 'rejected'; message: string };

/** A job of a pipeline: the rule that matched is applied, names and tags are expanded. */
export interface CompiledJob extends ExpandedJob {
  /** What its rules, or `only` and `except`, decided by. */
  explanation: RuleExplanation[];
}

/** A job that is not in the pipeline, and why. */
export interface ExcludedJob {
  name: string;
  why: string;
  explanation: RuleExplanation[];
}

/** Why a valid configuration makes no pipeline. */
type Filtered = 'workflow' | 'rules';

/** The public API's texts for a valid file that makes no pipeline. */
export const FILTERED_TEXTS: Readonly<Record<Filtered, string>> = {
  workflow: 'Pipeline filtered out by workflow rules.',
  rules:
    'Pipeline will not run for the selected trigger. The rules configuration prevented any jobs from being added to the pipeline.',
};

/** A compiled configuration. Without errors, `jobs` is what the pipeline consists of. */
export interface Compilation {
  errors: Problem[];
  warnings: Problem[];
  includes: IncludedFile[];
  /** Null if it was not wanted, and for a file that cannot be read. */
  merged_yaml: string | null;
  stages: string[];
  variables: Variables;
  workflow: WorkflowConfig | null;
  workflow_explanation: RuleExplanation[];
  filtered: Filtered | null;
  jobs: CompiledJob[];
  excluded: ExcludedJob[];
}

/** A compilation of nothing. */
export const createCompilation = (): Compilation => ({
  errors: [],
  warnings: [],
  includes: [],
  merged_yaml: null,
  stages: [],
  variables: {},
  workflow: null,
  workflow_explanation: [],
  filtered: null,
  jobs: [],
  excluded: [],
});

/** A compilation that ended with one error. */
export const rejectCompilation = (message: string): Compilation => ({ ...createCompilation(), errors: [{ message }] });
