import { answerInHand } from '../core/answer-bytes.js';
import type { Context } from '../core/context.js';
import { AnswerTooLarge, BadParams, NotFound } from '../core/errors.js';
import { flag, hash, integer, maybe, presentText, text, withDefault } from '../core/fields.js';
import { blame, blobStream, readTree } from '../core/git/index.js';
import type { TreeEntry } from '../core/git/index.js';
import { can, operation } from '../core/operation.js';
import { slicesOf } from '../core/slices.js';
import { project } from '../projects/project.finder.js';
import type { ProjectRecord } from '../projects/project.finder.js';
import { projectPolicy } from '../projects/project.policy.js';
import { commitOf } from '../repositories/commit-of.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { repositoryOf } from '../repositories/write-refs.js';
import { findFile } from './repository-file.finder.js';
import type { FileRecord } from './repository-file.finder.js';

/** A file's first bytes tell whether it is text, as git itself guesses. */
const GUESSED_BY_BYTES = 8000;

export const filePath = text().describe('Path of the file, one encoded segment.');

const reads = {
  subject: project,
  can: can(projectPolicy, 'read_code'),
  gate: 'open',
  kind: 'read',
  // Tokens for repositories open their files as well (rest-conventions.md section 2).
  scopes: ['api', 'read_api', 'read_repository', 'write_repository'],
  statements: 4,
} as const;

/**
 * A file whose content is part of the answer, as base64: what would not fit into one is not read.
 * @throws AnswerTooLarge
 */
async function findWholeFile(ctx: Context, found: ProjectRecord, path: string, fileRef: string): Promise<FileRecord> {
  const answer = answerInHand.getStore();
  const file = await findFile(ctx, found, path, fileRef, answer && Math.floor((answer.limit / 4) * 3));
  if (answer && file.size > file.content.length) throw new AnswerTooLarge(answer.limit);
  answer?.takeValue(file.content.length);
  return file;
}

/** Read a file. */
export const getFile = operation({
  name: 'getFile',
  summary: 'Read a file',
  ...reads,
  params: {
    file_path: filePath,
    ref: presentText().describe('Branch, tag or commit; `HEAD` is the default branch.'),
  },
  run: (ctx, found, input) => findWholeFile(ctx, found, input.file_path, input.ref),
});

const ref = withDefault(text(), 'HEAD').describe('Branch, tag or commit; the default branch when left out.');

/** Read the bytes of a file. */
export const getRawFile = operation({
  name: 'getRawFile',
  summary: 'Read the content of a file',
  ...reads,
  params: {
    file_path: filePath,
    ref,
    lfs: maybe(flag()).describe('Accepted; files are always answered as the repository has them.'),
  },
  async run(ctx, found, input) {
    const file = await findFile(ctx, found, input.file_path, input.ref, GUESSED_BY_BYTES);
    return {
      ...file,
      binary: file.content.includes(0),
      open: () =>
        file.size <= file.content.length ? file.content : blobStream(repositoryOf(ctx, found), file.blob_id),
    };
  },
});

const range = maybe(
  hash({
    start: integer().describe('First line, from 1.'),
    end: integer().describe('Last line.'),
  }),
).describe('Only these lines.');

/** Read who last changed each line of a file. */
export const getBlame = operation({
  name: 'getBlame',
  summary: 'Read the blame of a file',
  ...reads,
  params: { file_path: filePath, ref, range },
  async run(ctx, found, input) {
    const lines = input.range;
    if (lines && lines.start < 1) throw new BadParams(['range[start] is invalid']);
    if (lines && lines.end < lines.start)
      throw new BadParams(['range[start] must be less than or equal to range[end]']);
    const file = await findFile(ctx, found, input.file_path, input.ref, 0);
    const groups = await withGitAnswers(() =>
      file.size === 0 ? Promise.resolve([]) : blame(repositoryOf(ctx, found), file.commit_id, file.file_path, lines),
    );
    if (groups === null) throw new NotFound('File');
    return groups.map((group) => ({ ...group, project: found }));
  },
});

const KINDS = ['tree', 'blob', 'commit'];

const tokenOf = (entry: TreeEntry) => Buffer.from(entry.path).toString('base64url');

/** The place behind the entry that a token names. @throws BadParams */
function startAfter(entries: readonly TreeEntry[], token: string | undefined): number {
  if (token === undefined) return 0;
  const at = entries.findIndex((entry) => tokenOf(entry) === token);
  if (at < 0) throw new BadParams(['page_token is invalid']);
  return at + 1;
}

/** List a folder: folders, then files, then submodules. By offset, or by keyset with a page token, for anybody. */
export const listTree = operation({
  name: 'listTree',
  summary: "List a repository's tree",
  ...reads,
  params: {
    path: maybe(text()).describe('Folder; the root when left out.'),
    ref,
    recursive: withDefault(flag(), false).describe('With everything below it.'),
    page_token: maybe(text()).describe('With `pagination=keyset`: where the page starts, as the link to it says.'),
  },
  async run(ctx, found, input) {
    const commit = await commitOf(ctx, found, input.ref);
    const entries =
      commit === null ? null : await withGitAnswers(() => readTree(repositoryOf(ctx, found), commit, input));
    if (entries === null) throw new NotFound('Tree');
    const ordered = KINDS.flatMap((kind) => entries.filter((entry) => entry.type === kind));
    return slicesOf(ordered, {
      parameter: 'page_token',
      start: startAfter(ordered, input.page_token),
      token: tokenOf,
    });
  },
});
