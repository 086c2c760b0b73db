import type { Context } from '../../core/context.js';
import type { Commit, CommitStats } from '../../git/index.js';
import { commitStats, readCommitStats } from '../../git/index.js';
import { out, shape } from '../../core/shape.js';
import type { ProjectRecord } from '../../tenancy/projects/project.finder.js';
import { commitShape } from '../repositories/branch.shape.js';
import { openRepository } from '../repositories/write-refs.js';

/** A commit in its project; what is more than git's own is loaded by the shapes that show it. */
export interface CommitRecord extends Commit {
  project: ProjectRecord;
  /** Whether lines are counted: it costs a look at every changed file. */
  counts: boolean;
  stats?: CommitStats;
}

const statsShape = shape<CommitStats>('CommitStats', {
  additions: out.integer((stats) => stats.additions),
  deletions: out.integer((stats) => stats.deletions),
  total: out.integer((stats) => stats.total),
});

const NO_LINES: CommitStats = { additions: 0, deletions: 0, total: 0 };

async function loadStats(ctx: Context, commits: readonly CommitRecord[]): Promise<void> {
  const counted = commits.filter((commit) => commit.counts);
  if (!counted[0]) return;
  const stats = await readCommitStats(
    openRepository(ctx, counted[0].project),
    counted.map((commit) => commit.sha),
  );
  for (const commit of counted) commit.stats = stats.get(commit.sha) ?? NO_LINES;
}

/** Of one commit by itself, unless they are there. */
export async function loadOwnStats(ctx: Context, commits: readonly CommitRecord[]): Promise<void> {
  for (const commit of commits) {
    if (!commit.counts || commit.stats) continue;
    commit.stats = (await commitStats(openRepository(ctx, commit.project), commit.sha)) ?? NO_LINES;
  }
}

const stats = out.record(statsShape, (commit: CommitRecord) => commit.stats, { optional: true });

/** A commit in lists, with its lines counted where that was asked for (delivery-resources.md section 6). */
export const listedCommit = shape<CommitRecord>('ListedCommit', { ...commitShape.fields, stats }, { load: loadStats });

/** A commit by itself; `ci/pipelines` adds its newest pipeline. */
export const commitDetails = shape<CommitRecord>(
  'CommitDetails',
  {
    ...commitShape.fields,
    stats,
    project_id: out.integer((commit) => commit.project.id),
  },
  { load: loadOwnStats },
);

/** A branch or tag that has a commit. */
export const commitRefShape = shape<{ type: 'branch' | 'tag'; name: string }>('CommitRef', {
  type: out.text((ref) => ref.type, { enum: ['branch', 'tag'] }),
  name: out.text((ref) => ref.name),
});
