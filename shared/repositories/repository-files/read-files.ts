import type { Readable } from 'node:stream';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { answerInHand } from '../../core/bytes/answer-bytes.js';
import type { Context } from '../../core/context/context.js';
import { BadParams, NotFound, TooLarge } from '../../core/values/errors.js';
import { boolean, object, integer, optional, presentText, text, withDefault } from '../../core/operations/fields.js';
import { blame, openBlob } from '../../git/index.js';
import { can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { openRepository } from '../repositories/write-refs.js';
import { getScopes } from '../../core/context/callers.js';
import { isMarkdownFile } from '../../core/markdown/markdown-files.js';
import { findFile } from './repository-file.finder.js';
import type { FileRecord } from './repository-file.finder.js';

/** Longer files are shown as plain text, just as longer descriptions are refused (core-resources.md section 6). */
const MOST_BYTES = 1_048_576;

/** Scopes with which records are read that a text may refer to; those for repositories alone read files. */
const READS_RECORDS = ['api', 'read_api'];

/**
 * Markdown of a file as safe HTML, as visible to the caller: references resolve from the project, and only for callers
 * who may read their targets. Null for other files, and for content that is not text or longer than 1 MiB.
 */
async function renderedFile(ctx: Context, project: ProjectRecord, file: FileRecord): Promise<string | null> {
  const { content } = file;
  if (!isMarkdownFile(file.file_path) || content.length > MOST_BYTES || content.includes(0)) return null;
  const scopes = getScopes(ctx.caller);
  const form = scopes === null || READS_RECORDS.some((scope) => scopes.includes(scope)) ? 'text' : 'plain';
  const container = { kind: 'project', id: project.id } as const;
  const [html = ''] = await ctx.services.markdown.htmlOf(ctx, [{ written: content.toString('utf8'), form, container }]);
  return html;
}

/** A file of up to so many bytes is read with the rest of it, without a process of its own. */
const READ_AT_ONCE = 8000;
const MIB = 1024 * 1024;
/** Base64 makes it a third more, which an answer of JSON still holds; the raw content has no such limit. */
const MOST_IN_JSON = 10 * MIB;
/** git holds every version of a file that it blames. */
const MOST_BLAMED = 10 * MIB;

export const filePath = text()
  .describe('Path of the file, as one URL-encoded segment.')
  .meta({ examples: ['docs/guide.md'] });

export const reads = {
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
  // Tokens for repositories open their files as well (rest-conventions.md section 2).
  scopes: ['api', 'read_api', 'read_repository', 'write_repository'],
  statements: 4,
} as const;

/** Bytes of content that fit into the answer at hand as base64. */
export function mostInJson(): number {
  const answer = answerInHand.getStore();
  return answer ? Math.min(MOST_IN_JSON, Math.floor((answer.limit / 4) * 3)) : MOST_IN_JSON;
}

/**
 * A file with its content in the response, as base64: content too large for a response is not read. @throws TooLarge
 */
async function findWholeFile(ctx: Context, found: ProjectRecord, path: string, fileRef: string): Promise<FileRecord> {
  const file = await findFile(ctx, found, path, fileRef, mostInJson(), 'reject');
  answerInHand.getStore()?.takeValue(file.content.length);
  return file;
}

/** Read a file of up to 10 MiB, with its Markdown content as HTML (decision 48). */
export const getFile = operation({
  name: 'getFile',
  summary: 'Read a file',
  ...reads,
  statements: 8,
  params: {
    file_path: filePath,
    ref: presentText()
      .describe('Branch, tag or commit; `HEAD` is the default branch.')
      .meta({ examples: ['main'] }),
    render_html: withDefault(boolean(), false).describe('If `true`, also returns Markdown as safe HTML.'),
  },
  async run(ctx, found, input) {
    const file = await findWholeFile(ctx, found, input.file_path, input.ref);
    return input.render_html ? { ...file, content_html: await renderedFile(ctx, found, file) } : file;
  },
});

export const ref = withDefault(text(), 'HEAD').describe('Branch, tag or commit; the default branch if omitted.');

/** Read the bytes of a file. */
export const getRawFile = operation({
  name: 'getRawFile',
  summary: 'Read the content of a file',
  ...reads,
  params: {
    file_path: filePath,
    ref,
    lfs: optional(boolean()).describe(
      'Accepted without effect; files are always returned as they are in the repository.',
    ),
  },
  async run(ctx, found, input) {
    const file = await findFile(ctx, found, input.file_path, input.ref, READ_AT_ONCE, 'leave');
    const open = async (): Promise<Buffer | Readable> =>
      file.size === file.content.length
        ? file.content
        : withGitAnswers(() => openBlob(openRepository(ctx, found), file.blob_id, file.size));
    return { ...file, open };
  },
});

const range = optional(
  object({
    start: integer().describe('First line of the range, starting from 1.'),
    end: integer().describe('Last line of the range.'),
  }),
).describe('Range of lines to return.');

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
    const file = await findFile(ctx, found, input.file_path, input.ref, 0, 'leave');
    if (file.size > MOST_BLAMED) throw new TooLarge();
    const groups = await withGitAnswers(() =>
      file.size === 0 ? Promise.resolve([]) : blame(openRepository(ctx, found), file.commit_id, file.file_path, lines),
    );
    if (groups === null) throw new NotFound('File');
    return groups.map((group) => ({ ...group, project: found }));
  },
});
