import type { Readable } from 'node:stream';
import type { Context } from '../../core/context/context.js';
import { TooLarge } from '../../core/values/errors.js';
import { boolean, integer, withDefault } from '../../core/operations/fields.js';
import { offsetSourceOf } from '../../core/values/offset-source.js';
import type { OffsetSource } from '../../core/values/offset-source.js';
import { can, operation } from '../../core/operations/operation.js';
import { MOST_DIFF_FILES, openDiff, readLog, TOO_LARGE_TO_COMPARE } from '../../git/index.js';
import type { CommitRecord } from '../../repositories/commits/commit.serializer.js';
import { asUnidiff, readFileDiffs } from '../../repositories/commits/file-diffs.js';
import type { AttributedDiff } from '../../repositories/commits/file-diffs.js';
import { withGitAnswers } from '../../repositories/repositories/git-problems.js';
import { openRepository } from '../../repositories/repositories/write-refs.js';
import { mergeRequest } from '../merge-requests/merge-request.finder.js';
import { mergeRequestPolicy } from '../merge-requests/merge-request.policy.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import type { MergeRequestVersion } from '../merge-requests/merge-request-version.entity.js';
import { isTooLargeToCompare } from './count-files.js';
import { newestVersion } from './store-version.js';
import { findMergeRequestVersion, findMergeRequestVersions } from './version.finder.js';
import type { MergeRequestChanges, VersionDetails } from './version.serializer.js';

const read = {
  resource: mergeRequest,
  can: can(mergeRequestPolicy, 'read_merge_request'),
  authentication: 'open',
  kind: 'read',
} as const;

const unidiffParam = {
  unidiff: withDefault(boolean(), false).describe('If `true`, includes the header with the file names in each diff.'),
};

/** Maximum number of commits returned with a version, in addition to its diffs. */
const MOST_COMMITS = 1000;
/** Maximum number of bytes of diffs returned at once. */
const MOST_BYTES = 4 * 1024 * 1024;

/** From where the branches parted; histories that never meet differ in all of their files. */
const getRange = ({ base_sha: base, start_sha, head_sha: to }: MergeRequestVersion) => ({
  from: base ?? start_sha,
  to,
});

/** The commits of a version from `skip` on, the newest first, as they are in the project that it is to be merged in. */
async function getCommits(
  ctx: Context,
  { project }: MergeRequestRecord,
  { head_sha, start_sha }: MergeRequestVersion,
  [skip, limit]: readonly [number, number],
): Promise<CommitRecord[]> {
  const filter = { revisions: [head_sha], exclude: [start_sha], skip, limit };
  const commits = await withGitAnswers(() => readLog(openRepository(ctx, project), filter));
  return commits.map((commit) => ({ ...commit, project }));
}

async function getDiffs(
  ctx: Context,
  { project }: MergeRequestRecord,
  version: MergeRequestVersion,
  { skip, limit, unidiff }: { skip: number; limit: number; unidiff: boolean },
): Promise<{ files: AttributedDiff[]; overflow: boolean }> {
  if (isTooLargeToCompare(version)) return { files: [], overflow: true };
  const options = { skip, limit, mostBytes: MOST_BYTES };
  const { files, total, overflow } = await readFileDiffs(openRepository(ctx, project), getRange(version), options);
  return {
    files: unidiff ? files.map(asUnidiff) : files,
    overflow: overflow || total > skip + files.length || files.some(({ collapsed }) => collapsed),
  };
}

/** List the commits of a merge request, the newest first. */
export const listMergeRequestCommits = operation({
  name: 'listMergeRequestCommits',
  summary: 'List the commits of a merge request',
  ...read,
  run: async (ctx, found): Promise<OffsetSource<CommitRecord>> => {
    const version = await newestVersion(ctx, found.id);
    if (!version) return offsetSourceOf([]);
    return {
      slice: (skip, limit) => getCommits(ctx, found, version, [skip, limit]),
      total: version.commits_count,
    };
  },
});

/** List how files differ by a merge request. */
export const listMergeRequestDiffs = operation({
  name: 'listMergeRequestDiffs',
  summary: 'List the diffs of a merge request',
  ...read,
  params: unidiffParam,
  run: async (ctx, found, { unidiff }): Promise<OffsetSource<AttributedDiff>> => {
    const version = await newestVersion(ctx, found.id);
    if (!version) return offsetSourceOf([]);
    // A list of none would say that nothing changes.
    if (isTooLargeToCompare(version)) throw new TooLarge(TOO_LARGE_TO_COMPARE);
    const total = version.files_count ?? MOST_DIFF_FILES;
    return {
      async slice(skip, limit) {
        if (skip >= total) return [];
        const options = { skip, limit: Math.min(limit, total - skip), unidiff };
        return (await getDiffs(ctx, found, version, options)).files;
      },
      total,
    };
  },
});

/** Read a merge request with how files differ by it. */
export const getMergeRequestChanges = operation({
  name: 'getMergeRequestChanges',
  summary: 'Read a merge request with its changes',
  ...read,
  statements: 18,
  params: {
    ...unidiffParam,
    access_raw_diffs: withDefault(boolean(), false).describe('Deprecated: diffs are always read from git.'),
  },
  run: async (ctx, found, { unidiff }): Promise<MergeRequestChanges> => {
    const version = await newestVersion(ctx, found.id);
    const options = { skip: 0, limit: MOST_DIFF_FILES, unidiff };
    const page = version ? await getDiffs(ctx, found, version, options) : { files: [], overflow: false };
    return { ...found, diffs: page.files, overflow: page.overflow };
  },
});

/** The diff of a merge request as printed by git. */
export interface RawDiff {
  /** Null where there is nothing to compare yet. */
  open(): Promise<Readable | null>;
}

/** Read how files differ by a merge request, as `git diff` prints it. */
export const getMergeRequestRawDiff = operation({
  name: 'getMergeRequestRawDiff',
  summary: 'Read the raw diff of a merge request',
  ...read,
  run: async (ctx, found): Promise<RawDiff> => {
    const version = await newestVersion(ctx, found.id);
    if (version && isTooLargeToCompare(version)) throw new TooLarge(TOO_LARGE_TO_COMPARE);
    return {
      open: () =>
        version
          ? withGitAnswers(() => openDiff(openRepository(ctx, found.project), getRange(version)))
          : Promise.resolve(null),
    };
  },
});

/** List the versions of a merge request, the newest first. */
export const listMergeRequestVersions = operation({
  name: 'listMergeRequestVersions',
  summary: 'List the versions of a merge request',
  ...read,
  run: (_ctx, found) => Promise.resolve(findMergeRequestVersions(found)),
});

/** Read a version of a merge request with its commits and diffs. */
export const getMergeRequestVersion = operation({
  name: 'getMergeRequestVersion',
  summary: 'Read a version of a merge request',
  ...read,
  params: { version_id: integer().describe('ID of the version.'), ...unidiffParam },
  run: async (ctx, found, { version_id, unidiff }): Promise<VersionDetails> => {
    const version = await findMergeRequestVersion(ctx, found, version_id);
    const options = { skip: 0, limit: MOST_DIFF_FILES, unidiff };
    const [commits, { files }] = await Promise.all([
      getCommits(ctx, found, version, [0, MOST_COMMITS]),
      getDiffs(ctx, found, version, options),
    ]);
    return { ...version, commits, diffs: files };
  },
});
