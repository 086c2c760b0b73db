import { TooLarge } from '../core/values/errors.js';

/** The base of everything this folder throws on purpose; `code` is for callers that map it, `message` for logs. */
export class GitError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}

/** No usable `git` on this computer. */
export class GitMissing extends GitError {
  constructor(message: string) {
    super('git_missing', message);
  }
}

/** A git process ended with an unexpected exit code: a bug of ours, or a damaged repository. */
export class GitFailed extends GitError {
  readonly exitCode: number | null;
  readonly stderr: string;

  /** @param signal the signal that ended it, if any */
  constructor(
    command: string,
    exitCode: number | null,
    stderr: string,
    readonly signal: NodeJS.Signals | null = null,
  ) {
    super('git_failed', `git ${command} ended with ${exitCode ?? 'a signal'}: ${stderr.trim().slice(0, 500)}`);
    this.exitCode = exitCode;
    this.stderr = stderr;
  }
}

/** A git process was stopped because it took longer than allowed. */
export class GitTimeout extends GitError {
  constructor(command: string, timeoutMs: number) {
    super('git_timeout', `git ${command} took longer than ${timeoutMs} ms`);
  }
}

/** The message for files that cannot be compared, or even listed, within the limits of a process. */
export const TOO_LARGE_TO_COMPARE =
  '413 Request Entity Too Large - the files of these commits are too many, or lie too deep';

/**
 * A git process ended because it exceeded the limit for memory, CPU time or depth: nested trees can have any number of
 * paths. A retry does not help, so callers get this error wherever it occurs.
 */
export class GitTooCostly extends TooLarge {
  constructor(readonly command: string) {
    super(TOO_LARGE_TO_COMPARE);
  }
}

/** A git process was stopped because it printed more than allowed. */
export class GitOutputTooLarge extends GitError {
  constructor(command: string, maxBytes: number) {
    super('git_output_too_large', `git ${command} printed more than ${maxBytes} bytes`);
  }
}

/** A remote transfer was aborted because it exceeded the size limit. */
export class RemoteTooLarge extends GitError {
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super('remote_too_large', `the remote repository has more than ${maxBytes} bytes`);
    this.maxBytes = maxBytes;
  }
}

/** A remote transfer was aborted because the remote was silent for too long. */
export class RemoteSilent extends GitError {
  readonly silenceMs: number;

  constructor(silenceMs: number) {
    super('remote_silent', `the remote repository said nothing for ${silenceMs} ms`);
    this.silenceMs = silenceMs;
  }
}

/** A transfer from elsewhere was ended because it went on too slowly for too long. */
export class RemoteSlow extends GitError {
  readonly slowMs: number;

  constructor(slowMs: number) {
    super('remote_slow', `the remote repository sent next to nothing for ${slowMs} ms`);
    this.slowMs = slowMs;
  }
}

/** A repository has more branches and tags than the service takes. */
export class TooManyRefs extends GitError {
  readonly most: number;

  constructor(most: number) {
    super('too_many_refs', `there are more than ${most} branches and tags`);
    this.most = most;
  }
}

/** What came is no request of git. */
export class NotGitProtocol extends GitError {
  constructor(message: string) {
    super('not_git_protocol', message);
  }
}

/**
 * The objects of a push are invalid or too large. The message is shown to the pushing user. `missing` if other objects
 * should have been included.
 */
export class PackRejectedError extends GitError {
  constructor(
    message: string,
    readonly missing = false,
  ) {
    super('pack_refused', message);
  }
}

/** There is no repository at this path. */
export class RepositoryMissing extends GitError {
  constructor(repository: string) {
    super('repository_missing', `no git repository at ${repository}`);
  }
}

/** A requested branch, tag or commit does not exist. */
export class RevisionNotFound extends GitError {
  readonly revision: string;

  constructor(revision: string) {
    super('revision_not_found', `no commit is named ${JSON.stringify(revision)}`);
    this.revision = revision;
  }
}

/** A value that git would refuse: a bad ref name, a NUL in a message, an object of the wrong type, a tree fsck rejects. */
export class InvalidGitInput extends GitError {
  constructor(message: string) {
    super('invalid_git_input', message);
  }
}

/**
 * Why a ref could not be changed. `moved`, `exists` and `missing` compare with the expected old value; `name_conflict`
 * is `a` next to `a/b`; `locked` can be retried.
 */
export type RefConflictReason = 'moved' | 'exists' | 'missing' | 'name_conflict' | 'locked';

/** A ref did not have the expected value; no part of the transaction was applied. */
export class RefConflict extends GitError {
  readonly ref: string;
  readonly reason: RefConflictReason;

  constructor(ref: string, reason: RefConflictReason, detail: string) {
    super('ref_conflict', detail);
    this.ref = ref;
    this.reason = reason;
  }
}

export type CommitActionProblem = 'file_exists' | 'file_missing' | 'file_changed' | 'content_missing' | 'invalid_path';

const problemTexts: Record<CommitActionProblem, string> = {
  file_exists: 'A file with this name already exists',
  file_missing: "A file with this name doesn't exist",
  file_changed: 'You are attempting to update a file that has changed since you started editing it.',
  content_missing: 'The content of the file is missing',
  invalid_path: 'The path of the file is invalid',
};

/** One action of a commit does not fit its base; the message is the answer text of delivery-resources.md section 5a. */
export class CommitActionError extends GitError {
  readonly problem: CommitActionProblem;
  readonly path: string;

  constructor(problem: CommitActionProblem, path: string) {
    super(problem, problemTexts[problem]);
    this.problem = problem;
    this.path = path;
  }
}

/** What systems, git and PostgreSQL call a disk without space, or beyond what may be used of it. */
const FULL_DISK_CODES = new Set<unknown>(['ENOSPC', 'EDQUOT', '53100']);
const FULL_DISK_MESSAGE = /No space left on device|Disk quota exceeded/;

/** Whether an operation failed due to a full disk: of this process, of git, or of the database. */
export function isDiskFull(error: unknown): boolean {
  if (error instanceof GitFailed) return FULL_DISK_MESSAGE.test(error.stderr);
  return error instanceof Error && FULL_DISK_CODES.has((error as { code?: unknown }).code);
}
