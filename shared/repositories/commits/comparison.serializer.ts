import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { commitSerializer } from '../branches-and-tags/branch.serializer.js';
import { fileDiffSerializer } from './commit.serializer.js';
import type { CommitRecord } from './commit.serializer.js';
import type { AttributedDiff } from './file-diffs.js';
import type { Contributor } from '../../git/index.js';

/** What one branch, tag or commit has beyond another one. */
export interface Comparison {
  project: ProjectRecord;
  /** As submitted by the caller. */
  from: string;
  to: string;
  straight: boolean;
  /** Oldest first. */
  commits: readonly CommitRecord[];
  diffs: readonly AttributedDiff[];
  /** Not all commits or diffs fit into the response. */
  cut: boolean;
  same: boolean;
}

/** A ref as part of an address: slashes stay. */
const inAddress = (ref: string): string => ref.split('/').map(encodeURIComponent).join('/');

const dots = ({ straight }: Comparison) => (straight ? '..' : '...');

/** A comparison (delivery-resources.md section 6). `compare_timeout` reports that it is incomplete. */
export const comparisonSerializer = serializer<Comparison>('Comparison', {
  commit: out.nullableRecord(commitSerializer, ({ commits }) => commits.at(-1) ?? null),
  commits: out.records(commitSerializer, ({ commits }) => commits),
  diffs: out.records(fileDiffSerializer, ({ diffs }) => diffs),
  compare_timeout: out.boolean(({ cut }) => cut),
  compare_same_ref: out.boolean(({ same }) => same),
  web_url: out.text(
    (comparison, ctx) =>
      `${ctx.config.externalUrl}/${comparison.project.full_path}/-/compare/${inAddress(comparison.from)}${dots(comparison)}${inAddress(comparison.to)}`,
  ),
});

/** Who wrote commits. Lines are not counted for it: the public API answers 0. */
export const contributorSerializer = serializer<Contributor>('Contributor', {
  name: out.text((contributor) => contributor.name),
  email: out.text((contributor) => contributor.email),
  commits: out.integer((contributor) => contributor.commits),
  additions: out.integer(() => 0),
  deletions: out.integer(() => 0),
});
