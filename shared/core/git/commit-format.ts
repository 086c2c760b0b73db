import { isoWithOffset } from './identity.js';

export interface Commit {
  sha: string;
  parent_ids: string[];
  /** The id of its root tree. */
  tree: string;
  /** The first line of the message. */
  title: string;
  /** The message as it was written. */
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

const fields = ['%H', '%P', '%T', '%an', '%ae', '%ad', '%cn', '%ce', '%cd', '%B', '%(trailers:only=true,unfold=true)'];

/** The arguments that make `git log` print what parseCommits reads. */
export const commitFormatArgs = ['-z', '--no-mailmap', '--date=raw', `--format=tformat:${fields.join('%x00')}`];

/** Reads the output of `git log` with commitFormatArgs. No field can hold a NUL: git ends a message there. */
export function parseCommits(output: string): Commit[] {
  const values = output.split('\0');
  const commits: Commit[] = [];
  for (let at = 0; at + fields.length <= values.length; at += fields.length) {
    commits.push(commitOf(values.slice(at, at + fields.length)));
  }
  return commits;
}

function commitOf(values: string[]): Commit {
  const [sha = '', parents = '', tree = '', an = '', ae = '', ad = '', cn = '', ce = '', cd = '', message = ''] =
    values;
  const extended_trailers = parseTrailers(values[10] ?? '');
  return {
    sha,
    parent_ids: parents.split(' ').filter(Boolean),
    tree,
    title: message.trimStart().split(/\r?\n/, 1)[0] ?? '',
    message,
    author_name: an,
    author_email: ae,
    authored_date: isoWithOffset(ad),
    committer_name: cn,
    committer_email: ce,
    committed_date: isoWithOffset(cd),
    trailers: Object.fromEntries(Object.entries(extended_trailers).map(([key, all]) => [key, all.at(-1)!])),
    extended_trailers,
  };
}

function parseTrailers(text: string): Record<string, string[]> {
  const trailers = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const colon = line.indexOf(':');
    if (colon < 1) continue;
    const key = line.slice(0, colon).trim();
    const values = trailers.get(key) ?? [];
    trailers.set(key, [...values, line.slice(colon + 1).trim()]);
  }
  return Object.fromEntries(trailers);
}
