import type { RuleConfig } from '../configuration-model/configuration.types.js';

/** The final value of a variable (no further expansion happens), or undefined where there is none. */
export interface Lookup {
  (name: string): string | undefined;
  /** Has a mask for every secret: for whatever callers see, such as messages and explanations. Itself without it. */
  readonly visible?: Lookup;
}

/** A variable that a condition looked at. Values are redacted by whoever shows them, hence apart from the names. */
export interface Operand {
  name: string;
  /** null: there is no such variable. Empty when `length` is set. */
  value: string | null;
  /** Characters of a value that is too long to be repeated here; a cut value could not be redacted reliably. */
  length?: number;
}

/** One condition that was looked at, and what it came to. */
export interface Because {
  /** As written: `$A == "x"`, `changes: docs/**`; cut at 255 characters. */
  part: string;
  operands: Operand[];
  result: boolean;
  /** Why the result did not come from a comparison. */
  note?: string;
}

/** The value of an expression, with the conditions that were evaluated on the way. */
export interface Evaluation {
  result: boolean;
  because: Because[];
}

/** `error` is the rule that could not be evaluated; `not_reached` are those after the one that decided. */
export type RuleResult = 'match' | 'no_match' | 'not_reached' | 'error';

/** What became of one rule, or of one key of `only` and `except`. */
export interface RuleExplanation {
  /** Counts from 0. */
  index: number;
  /** The conditions as text: `if: $A == "x", changes: docs/**`; cut at 1,000 characters. */
  clause: string;
  result: RuleResult;
  because: Because[];
}

/** Whose rules are read; it decides the wording of errors. */
export type RuleOwner = { kind: 'job'; name: string } | { kind: 'workflow' } | { kind: 'include' };

/** What rules may look at. Arrays of paths must not change afterwards: results are remembered by array. */
export interface RuleContext {
  owner: RuleOwner;
  lookup: Lookup;
  /**
   * The paths that changed, against `compareTo` where a rule names a ref. null: not known, so that `changes` holds.
   * Throws RuleSourceError when `compareTo` is no ref.
   */
  changedPaths(compareTo?: string): Promise<readonly string[] | null>;
  /**
   * The paths of the pipeline's commit, or of a ref of a project. null: too many to be compared, so that `exists`
   * holds. Throws RuleSourceError when one is unknown.
   */
  pathsInTree(project?: string, ref?: string): Promise<readonly string[] | null>;
}

/** Which rule decided, and why. */
export interface RulesOutcome {
  /** The index of the first rule that matches; null when none does. */
  matched: number | null;
  rule: RuleConfig | null;
  explanation: RuleExplanation[];
}

/** What `only` and `except` may look at. */
export interface PolicyContext {
  /** The name of the job, for errors. */
  job: string;
  /** `main`, `v1.0`, `refs/merge-requests/1/head`. */
  ref: string;
  isTag: boolean;
  /** As in `CI_PIPELINE_SOURCE`: `push`, `schedule`, `merge_request_event`. */
  source: string;
  projectPath: string;
  /** Whether the configuration has `workflow:rules`: then a job without conditions is for every pipeline. */
  workflowRules?: boolean;
  lookup: Lookup;
  changedPaths(): Promise<readonly string[] | null>;
}

/** Whether `only` and `except` let a job in, and why. */
export interface PolicyOutcome {
  included: boolean;
  /** A `match` of an `except:` clause is what leaves the job out. */
  explanation: RuleExplanation[];
}
