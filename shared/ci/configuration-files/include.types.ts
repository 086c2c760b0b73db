import type { Hash, Problem, RuleConfig } from '../configuration-model/configuration.types.js';

/** A project at a commit: what a `local` include of a file is looked up in. */
export interface FileOrigin {
  project: string;
  sha: string;
}

/**
 * A file, or several, to be included. Paths have no leading `/`, no `..` and no NUL. `from` is the origin of the file
 * with the `include`; null: that one came from a remote address, and what it includes is read as nobody in particular.
 */
export type IncludeRequest =
  | { kind: 'local'; path: string; from: FileOrigin }
  | { kind: 'local-glob'; pattern: string; from: FileOrigin }
  | { kind: 'project'; project: string; path: string; ref?: string; from: FileOrigin | null }
  | { kind: 'remote'; url: string };

/** A file as it was fetched. `location` is its path, or its address; `origin` is null for a remote one. */
export interface SourceFile {
  location: string;
  text: string;
  origin: FileOrigin | null;
  /** Of the file in git. */
  blob_id?: string;
  blob?: string;
  raw?: string;
}

/** The files, those of a glob sorted; or the public text of the error, the same for hidden and absent projects. */
export type IncludeAnswer = { files: SourceFile[] } | { error: string };

/** A file that was included, as lint tells it; the context is that of the file which includes it. */
export interface IncludedFile {
  type: 'local' | 'file' | 'remote';
  location: string;
  blob: string | null;
  raw: string | null;
  extra: { job_name?: string; ref?: string; project?: string };
  context_project: string | null;
  context_sha: string | null;
}

/** What including files needs of the world outside. */
export interface IncludeOptions {
  /** Of the file itself. */
  from: FileOrigin | null;
  /** Of the file itself: `.gitlab-ci.yml`. */
  location: string;
  fetchFiles(request: IncludeRequest): Promise<IncludeAnswer>;
  /** Parses a file and fills in its inputs. @throws ConfigurationError */
  readFile(file: SourceFile, inputs: Hash): FileContent | Promise<FileContent>;
  /** Replaces variables in a path, an address, a project or a ref. */
  expand(text: string): string;
  /**
   * Whether a file is to be included: the first of its rules that holds has a `when` other than `never`.
   * @param from what `exists` is looked up in
   */
  matchesRules(rules: RuleConfig[], from: FileOrigin | null): Promise<boolean>;
  /** Files in all; 150 unless set. */
  maxIncludes?: number;
  /** Whether the time for including files is over; looked at before files are fetched. */
  isOverdue?(): boolean;
}

interface FileContent {
  content: Hash;
  warnings: Problem[];
}
