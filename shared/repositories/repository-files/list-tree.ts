import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { Context } from '../../core/context/context.js';
import { BadParams, NotFound } from '../../core/values/errors.js';
import { boolean, optional, text, withDefault } from '../../core/operations/fields.js';
import { readTree, readTreePart } from '../../git/index.js';
import type { TreeEntry, TreeStart } from '../../git/index.js';
import { COUNT_LIMIT } from '../../core/database/list.js';
import { operation } from '../../core/operations/operation.js';
import type { OffsetSource } from '../../core/values/offset-source.js';
import { offsetSourceOf } from '../../core/values/offset-source.js';
import { loadCommitSha } from '../repositories/commit-of.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { openRepository } from '../repositories/write-refs.js';
import { reads, ref } from './read-files.js';

const KINDS = ['tree', 'blob', 'commit'] as const;

/** Names the position after an entry. */
const getToken = ({ type, path }: TreeEntry) => Buffer.from(`${type} ${path}`).toString('base64url');

const keyset = { parameter: 'page_token', token: getToken };
const invalid = () => new BadParams(['page_token is invalid']);

/** The entry that a page token refers to. @throws BadParams */
function decodePageToken(token: string): Exclude<TreeStart, number> {
  const [, type, path] = /^(tree|blob|commit) ([^]+)$/.exec(Buffer.from(token, 'base64url').toString('utf8')) ?? [];
  if (path === undefined) throw invalid();
  return { type: type as TreeEntry['type'], path };
}

/** The position after the entry that a token names. @throws BadParams */
function startAfter(entries: readonly TreeEntry[], token: string | undefined): number {
  if (token === undefined) return 0;
  const { type, path } = decodePageToken(token);
  const at = entries.findIndex((entry) => entry.type === type && entry.path === path);
  if (at < 0) throw invalid();
  return at + 1;
}

interface TreeInput {
  path?: string | undefined;
  recursive: boolean;
  page_token?: string | undefined;
}

/** Pages of a folder that is too large to be read as a whole, and so is not counted. */
function largeTree(ctx: Context, found: ProjectRecord, commit: string, input: TreeInput): OffsetSource<TreeEntry> {
  const read = async (start: TreeStart, limit: number) => {
    const part = await withGitAnswers(() => readTreePart(openRepository(ctx, found), commit, input, start, limit));
    if (part === null) throw invalid();
    return part;
  };
  const start = input.page_token === undefined ? 0 : decodePageToken(input.page_token);
  return { slice: read, keyset: { ...keyset, read: (limit) => read(start, limit) } };
}

/**
 * List a folder: folders, then files, then submodules. With offset pagination, or keyset pagination by a page token,
 * for all callers. Folders with more than 10,000 entries are not counted, and are read a page at a time.
 */
export const listTree = operation({
  name: 'listTree',
  summary: "List a repository's tree",
  ...reads,
  params: {
    path: optional(text()).describe('Path of the folder; the root folder if omitted.'),
    ref,
    recursive: withDefault(boolean(), false).describe('If `true`, returns everything below the folder.'),
    page_token: optional(text()).describe(
      'Position that the page starts at, with `pagination=keyset`, as in the link to the page.',
    ),
  },
  async run(ctx, found, input): Promise<OffsetSource<TreeEntry>> {
    const commit = await loadCommitSha(ctx, found, input.ref);
    if (commit === null) throw new NotFound('Tree');
    const whole = await withGitAnswers(() => readTree(openRepository(ctx, found), commit, COUNT_LIMIT, input));
    if (whole === null) throw new NotFound('Tree');
    const { entries, larger } = whole;
    if (larger) return largeTree(ctx, found, commit, input);
    const ordered = KINDS.flatMap((kind) => entries.filter((entry) => entry.type === kind));
    return offsetSourceOf(ordered, { ...keyset, start: startAfter(ordered, input.page_token) });
  },
});
