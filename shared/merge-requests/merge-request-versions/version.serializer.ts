import { MOST_DIFF_FILES } from '../../git/index.js';
import type { OutField } from '../../core/operations/serializer.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { commitSerializer } from '../../repositories/branches-and-tags/branch.serializer.js';
import { fileDiffSerializer } from '../../repositories/commits/commit.serializer.js';
import type { CommitRecord } from '../../repositories/commits/commit.serializer.js';
import type { AttributedDiff } from '../../repositories/commits/file-diffs.js';
import type { MergeRequestRecord } from '../merge-requests/merge-request.entity.js';
import { detailFields, detailLoads, detailViews } from '../merge-requests/merge-request.serializer.js';
import type { MergeRequestVersion } from '../merge-requests/merge-request-version.entity.js';

const fields: Record<string, OutField<MergeRequestVersion>> = {
  id: out.integer((version) => version.id),
  head_commit_sha: out.text((version) => version.head_sha),
  base_commit_sha: out.nullableText((version) => version.base_sha ?? null),
  start_commit_sha: out.text((version) => version.start_sha),
  created_at: out.instant((version) => version.created_at),
  merge_request_id: out.integer((version) => version.merge_request_id),
  state: out.text(
    ({ files_overflow: overflow, files_count: count }) => {
      if (overflow) return 'overflow';
      return count === 0 ? 'empty' : 'collected';
    },
    { enum: ['collected', 'overflow', 'empty'] },
  ),
  real_size: out.text(
    ({ files_count: count, files_overflow: more }) => (more ? `${count ?? MOST_DIFF_FILES}+` : String(count ?? 0)),
    {
      description: 'Number of changed files; with `+` if there are more.',
    },
  ),
  patch_id_sha: out.nullableText((version) => version.patch_id_sha ?? null),
};

/** A version in lists (core-resources.md section 7). */
export const versionSerializer = serializer<MergeRequestVersion>('MergeRequestVersion', fields);

/** A version with its commits, the newest first, and what it changes. */
export interface VersionDetails extends MergeRequestVersion {
  readonly commits: readonly CommitRecord[];
  readonly diffs: readonly AttributedDiff[];
}

export const versionDetails = serializer<VersionDetails>('MergeRequestVersionDetails', {
  ...fields,
  commits: out.records(commitSerializer, ({ commits }) => commits),
  diffs: out.records(fileDiffSerializer, ({ diffs }) => diffs),
});

/** A merge request with what it changes. */
export interface MergeRequestChanges extends MergeRequestRecord {
  readonly diffs: readonly AttributedDiff[];
  readonly overflow: boolean;
}

/** `/changes` (core-resources.md section 7): deprecated for `/diffs`, which has pages. */
export const mergeRequestChanges = serializer<MergeRequestChanges>(
  'MergeRequestChanges',
  {
    ...detailFields,
    changes: out.records(fileDiffSerializer, ({ diffs }) => diffs),
    overflow: out.boolean(({ overflow }) => overflow, {
      description: 'Indicates more changes exist than are returned.',
    }),
  },
  { loads: detailLoads, views: detailViews },
);
