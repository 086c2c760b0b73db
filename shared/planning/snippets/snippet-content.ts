import type { Caller } from '../../core/context/callers.js';
import type { Context } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { readBlob, readObjects, readTree, resolveCommit } from '../../git/index.js';
import type { Repository } from '../../git/index.js';
import { openContent } from '../../repositories/repositories/content-ref.js';
import { withGitAnswers } from '../../repositories/repositories/git-problems.js';
import { MOST_FILES } from './snippet-files.js';
import { SnippetUserAgent } from './snippet.entity.js';
import type { ListedSnippet, SnippetRecord } from './snippet.entity.js';
import { projectSnippet, snippet } from './snippet.finder.js';
import { snippetPolicy } from './snippet.policy.js';

const MIB = 1024 * 1024;
/** The content of one file that is read at once. */
const MOST_BYTES = 10 * MIB;

/** Translates git errors into snippet errors. @throws Invalid `{"message":{"error":…}}` */
export async function withSnippetAnswers<R>(work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Invalid && typeof error.detail === 'string') throw new Invalid({ error: error.detail });
    throw error;
  }
}

/** The commit that a ref resolves to; the head is known without running git. @throws NotFound */
async function getCommit(repository: Repository, found: SnippetRecord, ref: string): Promise<string> {
  const isHead = ref === 'HEAD' || ref === found.branch || ref === found.head_sha;
  const sha = isHead ? found.head_sha : await resolveCommit(repository, ref);
  if (sha === null) throw new NotFound('Reference');
  return sha;
}

/** A file of a snippet with its content. At most two processes of git where the ref is the branch. @throws NotFound */
function readFile(ctx: Context, found: SnippetRecord, ref: string, path: string) {
  const repository = openContent(ctx, { kind: 'snippet', of: found.id });
  return withGitAnswers(async () => {
    const sha = await getCommit(repository, found, ref);
    const blob = await readBlob(repository, sha, path, MOST_BYTES, 'reject');
    if (!blob) throw new NotFound('File');
    return { file_path: path, content: blob.content };
  });
}

/** The first file. @throws NotFound where there is none */
function readFirst(ctx: Context, found: SnippetRecord) {
  const [path] = found.file_paths;
  if (path === undefined) throw new NotFound('File');
  return readFile(ctx, found, 'HEAD', path);
}

const reads = { can: can(snippetPolicy, 'read_snippet'), authentication: 'open', kind: 'read' } as const;
const fileParams = {
  ref: text()
    .describe('Branch or commit to read the file from.')
    .meta({ examples: ['main'] }),
  file_path: text()
    .describe('Path of the file, as one URL-encoded segment.')
    .meta({ examples: ['fight.rb'] }),
};

export const getRawProjectSnippet = operation({
  name: 'getRawProjectSnippet',
  summary: 'Read the content of the first file of a snippet of a project',
  resource: projectSnippet,
  ...reads,
  run: readFirst,
});

export const getRawSnippet = operation({
  name: 'getRawSnippet',
  summary: 'Read the content of the first file of a snippet',
  resource: snippet,
  ...reads,
  run: readFirst,
});

export const getRawProjectSnippetFile = operation({
  name: 'getRawProjectSnippetFile',
  summary: 'Read the content of a file of a snippet of a project',
  resource: projectSnippet,
  ...reads,
  params: fileParams,
  run: (ctx, found, { ref, file_path }) => readFile(ctx, found, ref, file_path),
});

export const getRawSnippetFile = operation({
  name: 'getRawSnippetFile',
  summary: 'Read the content of a file of a snippet',
  resource: snippet,
  ...reads,
  params: fileParams,
  run: (ctx, found, { ref, file_path }) => readFile(ctx, found, ref, file_path),
});

/** Maximum number of bytes of a file that is displayed with the others. */
const MAX_TEXT_BYTES = MIB;

/** A file of a snippet as displayed with the others. */
export interface SnippetBlob {
  readonly path: string;
  readonly size: number;
  /** Whether it is no text. */
  readonly binary: boolean;
  /** Null for binary files and for files over 1 MiB. */
  readonly text: string | null;
}

/**
 * The files of a snippet with their content, read by one git process: all of them, or those of these paths that exist.
 * @throws GitTimeout
 */
export async function snippetBlobs(
  ctx: Context,
  found: ListedSnippet,
  requestedPaths: readonly string[] | null | undefined,
): Promise<SnippetBlob[]> {
  const paths = found.file_paths.filter((path) => requestedPaths?.includes(path) ?? true);
  if (found.head_sha === null || paths.length === 0) return [];
  const repository = openContent(ctx, { kind: 'snippet', of: found.id });
  const names = paths.map((path) => `${found.head_sha}:${path}`);
  const objects = await withGitAnswers(() => readObjects(repository, names, MAX_TEXT_BYTES));
  return paths.flatMap((path, at) => {
    const object = objects[at];
    if (object?.type !== 'blob') return [];
    const binary = object.content.includes(0);
    const isText = !binary && object.size <= MAX_TEXT_BYTES;
    return [{ path, size: object.size, binary, text: isText ? object.content.toString('utf8') : null }];
  });
}

/** Maximum number of tree entries to read: a snippet with ten files in folders has fewer. */
const MOST_ENTRIES = 1000;

/** Paths of the files of a commit in git's order; null where there is something else, or too much. */
async function filesAt(repository: Repository, sha: string): Promise<string[] | null> {
  const tree = await readTree(repository, sha, MOST_ENTRIES, { recursive: true });
  if (!tree || tree.larger) return null;
  const others = tree.entries.filter(({ type, mode }) => type === 'commit' || mode === '120000');
  return others.length > 0 ? null : tree.entries.filter(({ type }) => type === 'blob').map(({ path }) => path);
}

/** Paths of the files that a snippet has at a commit. */
export async function snippetFiles(ctx: Context<Caller>, id: number, sha: string): Promise<string[]> {
  return (await filesAt(openContent(ctx, { kind: 'snippet', of: id }), sha)) ?? [];
}

/** The reason why a pushed commit is rejected for a snippet; null if it is accepted. */
export async function findSnippetRejection(repository: Repository, sha: string): Promise<string | null> {
  const files = await filesAt(repository, sha);
  if (files === null) return 'A snippet has a few files, and nothing else.';
  if (files.length === 0) return 'A snippet has at least one file.';
  return files.length > MOST_FILES ? `The files of a snippet are at most ${MOST_FILES}.` : null;
}

/** The beginnings of a commit's files as one text, for the spam check. */
export async function snippetTextAt(repository: Repository, sha: string, characters: number): Promise<string> {
  const parts: string[] = [];
  let left = characters;
  for (const path of (await filesAt(repository, sha)) ?? []) {
    if (left <= 0) break;
    const blob = await readBlob(repository, sha, path, left);
    const part = `${path}\n${blob?.content.toString('utf8') ?? ''}`;
    parts.push(part);
    left -= part.length;
  }
  return parts.join('\n');
}

async function getUserAgent(ctx: Context, found: SnippetRecord): Promise<SnippetUserAgent> {
  const detail = await ctx.em.findOne(SnippetUserAgent, { snippet_id: found.id });
  if (!detail) throw new NotFound('UserAgentDetail');
  return detail;
}

/** The client that created a snippet; no data is sent to an anti-spam service. */
export const snippetUserAgent = serializer<SnippetUserAgent>('SnippetUserAgentDetail', {
  user_agent: out.text((detail) => detail.user_agent),
  ip_address: out.text((detail) => detail.ip_address),
  akismet_submitted: out.boolean(() => false),
});

const ofAgent = { can: can(snippetPolicy, 'read_user_agent'), kind: 'read' } as const;

export const getProjectSnippetUserAgent = operation({
  name: 'getProjectSnippetUserAgent',
  summary: 'Read the user agent details of a snippet of a project',
  resource: projectSnippet,
  ...ofAgent,
  run: getUserAgent,
});

export const getSnippetUserAgent = operation({
  name: 'getSnippetUserAgent',
  summary: 'Read the user agent details of a snippet',
  resource: snippet,
  ...ofAgent,
  run: getUserAgent,
});
