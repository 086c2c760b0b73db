import { GitOutputTooLarge } from './errors.js';
import { isoWithOffset } from './identity.js';
import { cutText, eachRecord } from './output-records.js';
import { defaultMaxBytes, type TakeOutput } from './run.js';

export interface Commit {
  sha: string;
  parent_ids: string[];
  /** The id of its root tree. */
  tree: string;
  /** The first line of the message. */
  title: string;
  /** The unmodified message. */
  message: string;
  author_name: string;
  author_email: string;
  /** ISO 8601 with the offset of the one who wrote it. */
  authored_date: string;
  committer_name: string;
  committer_email: string;
  committed_date: string;
  /** The last value of each key. */
  trailers: Record<string, string>;
  /** All values of each key, in order. */
  extended_trailers: Record<string, string[]>;
}

/** Maximum sizes of a commit's parts, in bytes; longer text is cut and ends in three dots. */
export interface CommitLimits {
  message: number;
  /** Lines that do not fit are left out. */
  trailers: number;
  parents: number;
}

const KIB = 1024;
const TITLE_BYTES = KIB;
/** Of a name or address. */
const IDENTITY_BYTES = KIB;

/** Of a commit among others (decision 27): a page of a hundred of them stays far below an answer's 16 MiB. */
export const LISTED: CommitLimits = { message: 10 * KIB, trailers: 4 * KIB, parents: 100 };
/** Of a commit by itself. */
export const WHOLE: CommitLimits = { message: 1024 * KIB, trailers: 64 * KIB, parents: 10_000 };

const fields = ['%H', '%P', '%T', '%an', '%ae', '%ad', '%cn', '%ce', '%cd', '%B', '%(trailers:only=true,unfold=true)'];

/** The arguments that make `git log` print what eachCommit reads. */
export const commitFormatArgs = ['-z', '--no-mailmap', '--date=raw', `--format=tformat:${fields.join('%x00')}`];

const shaAndSpace = 41;

/**
 * Reads the output of `git log` with commitFormatArgs as it comes, until `take` answers true. No field can hold a NUL: git ends a message there.
 * Throws GitOutputTooLarge where the commits together are more than 64 MiB although each one is cut.
 */
export function eachCommit(limits: CommitLimits, take: (commit: Commit) => boolean | void): TakeOutput {
  const keep = Math.max(limits.message, limits.trailers, limits.parents * shaAndSpace);
  let values: Buffer[] = [];
  let size = 0;
  return eachRecord(0, keep, (value) => {
    size += value.length;
    if (size > defaultMaxBytes) throw new GitOutputTooLarge('log', defaultMaxBytes);
    if (values.push(value) < fields.length) return false;
    const commit = getCommit(values, limits);
    values = [];
    return take(commit);
  });
}

function getCommit(values: Buffer[], limits: CommitLimits): Commit {
  const text = (index: number): string => cutText(values[index]!, IDENTITY_BYTES);
  const extended_trailers = parseTrailers(values[10]!, limits.trailers);
  return {
    sha: text(0),
    parent_ids: values[1]!
      .toString('latin1', 0, limits.parents * shaAndSpace)
      .split(' ')
      .filter(Boolean),
    tree: text(2),
    title: getTitle(values[9]!),
    message: cutText(values[9]!, limits.message),
    author_name: text(3),
    author_email: text(4),
    authored_date: isoWithOffset(text(5)),
    committer_name: text(6),
    committer_email: text(7),
    committed_date: isoWithOffset(text(8)),
    trailers: Object.fromEntries(Object.entries(extended_trailers).map(([key, all]) => [key, all.at(-1)!])),
    extended_trailers,
  };
}

function getTitle(message: Buffer): string {
  const start = message.findIndex((byte) => byte > 0x20);
  if (start < 0) return '';
  const end = message.indexOf(0x0a, start);
  const line = message.subarray(start, end < 0 ? message.length : end);
  return cutText(line.at(-1) === 0x0d ? line.subarray(0, -1) : line, TITLE_BYTES);
}

function parseTrailers(bytes: Buffer, limit: number): Record<string, string[]> {
  if (bytes.length === 0) return {};
  const whole = bytes.length <= limit ? bytes : bytes.subarray(0, bytes.lastIndexOf(0x0a, limit) + 1);
  const trailers = new Map<string, string[]>();
  for (const line of whole.toString('utf8').split('\n')) {
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    const key = line.slice(0, colon).trim();
    const values = trailers.get(key) ?? [];
    values.push(line.slice(colon + 1).trim());
    trailers.set(key, values);
  }
  return Object.fromEntries(trailers);
}
