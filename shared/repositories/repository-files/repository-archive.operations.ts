import type { Readable } from 'node:stream';
import type { Context } from '../../core/context/context.js';
import { Invalid, NotFound } from '../../core/values/errors.js';
import { boolean, list, oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { GitFailed, isValidFilePath, openArchive, readBlob, readTree } from '../../git/index.js';
import type { ArchiveFormat } from '../../git/index.js';
import { can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { loadCommitSha } from '../repositories/commit-of.js';
import { withGitAnswers } from '../repositories/git-problems.js';
import { openRepository } from '../repositories/write-refs.js';

/** Each way to write a format behind the dot of `archive`. */
const FORMATS = {
  'tar.gz': 'tar.gz',
  tgz: 'tar.gz',
  gz: 'tar.gz',
  'tar.bz2': 'tar.bz2',
  tbz: 'tar.bz2',
  tbz2: 'tar.bz2',
  tb2: 'tar.bz2',
  bz2: 'tar.bz2',
  tar: 'tar',
  zip: 'zip',
} as const satisfies Record<string, ArchiveFormat>;

const NAMES = Object.keys(FORMATS) as (keyof typeof FORMATS)[];

/** An archive that is generated when it is read. */
export interface ArchiveFile {
  filename: string;
  format: ArchiveFormat;
  open(): Promise<Readable>;
}

interface ArchiveInput {
  sha?: string | undefined;
  path?: string | undefined;
  exclude_paths: string[];
}

const notFound = () => new NotFound('File');

/** `docs/` and `/docs` name what `docs` names. */
const trimmed = (path: string) => path.replace(/^\/+|\/+$/g, '');

/** What git ends an archive with before its first byte. */
function answerFor(error: unknown, format: ArchiveFormat): unknown {
  if (!(error instanceof GitFailed)) return error;
  if (error.stderr.includes('did not match any files')) return notFound();
  const withoutProgram = format === 'tar.bz2' && /bzip2.*not found|archive filter/.test(error.stderr);
  return withoutProgram ? new Invalid('This server has no bzip2: ask for tar.gz or zip') : error;
}

/** A path as the archive's name has it. */
const dashed = (text: string) => text.replaceAll('/', '-');

/** Whether a commit has a file or folder. */
async function hasPath(ctx: Context, found: ProjectRecord, commit: string, path: string): Promise<boolean> {
  const repository = openRepository(ctx, found);
  return (
    (await readBlob(repository, commit, path, 0, 'leave')) !== null ||
    (await readTree(repository, commit, 0, { path })) !== null
  );
}

/** @throws NotFound "404 File Not Found", also for a path that can be none */
async function getArchive(
  ctx: Context,
  found: ProjectRecord,
  input: ArchiveInput,
  format: ArchiveFormat,
): Promise<ArchiveFile> {
  const ref = input.sha ?? found.default_branch ?? 'HEAD';
  const sha = await loadCommitSha(ctx, found, ref);
  if (sha === null) throw notFound();
  const path = trimmed(input.path ?? '') || undefined;
  const without = input.exclude_paths.map(trimmed).filter((one) => one !== '');
  if ([...(path === undefined ? [] : [path]), ...without].some((one) => !isValidFilePath(one))) throw notFound();
  if (path !== undefined && !(await withGitAnswers(() => hasPath(ctx, found, sha, path)))) throw notFound();
  const folder = [found.path, ref, sha, ...(path === undefined ? [] : [path])].map(dashed).join('-');
  const open = () =>
    withGitAnswers(() => openArchive(openRepository(ctx, found), { sha, format, folder, path, without })).catch(
      (error: unknown) => {
        throw answerFor(error, format);
      },
    );
  return { filename: `${folder}.${format}`, format, open };
}

const archives = {
  resource: project,
  can: can(projectPolicy, 'read_code'),
  authentication: 'open',
  kind: 'read',
  scopes: ['api', 'read_api', 'read_repository', 'write_repository'],
  statements: 5,
} as const;

const params = {
  sha: optional(text()).describe('Branch, tag or commit; the default branch if omitted.'),
  path: optional(text()).describe('Path of the only file or folder to include.'),
  include_lfs_blobs: withDefault(boolean(), true).describe(
    'Accepted without effect; files are returned as they are in the repository.',
  ),
  exclude_paths: withDefault(list(text(), { commas: true, max: 100 }), []).describe(
    'Paths of files and folders to exclude.',
  ),
};

/** Download the files of a branch, tag or commit as a compressed tar file. */
export const downloadArchive = operation({
  name: 'downloadArchive',
  summary: 'Download an archive of a repository',
  ...archives,
  params,
  run: (ctx, found, input) => getArchive(ctx, found, input, 'tar.gz'),
});

/** The same in another format. */
export const downloadArchiveAs = operation({
  name: 'downloadArchiveAs',
  summary: 'Download an archive of a repository in a format',
  ...archives,
  params: {
    format: oneOf(NAMES)
      .describe('Format of the archive.')
      .meta({ examples: ['zip'] }),
    ...params,
  },
  run: (ctx, found, input) => getArchive(ctx, found, input, FORMATS[input.format]),
});
