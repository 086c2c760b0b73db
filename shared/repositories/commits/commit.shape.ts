import type { Context } from '../../core/context.js';
import type { Commit, CommitStats } from '../../git/index.js';
import { commitStats, readCommitStats } from '../../git/index.js';
import { out, shape } from '../../core/shape.js';
import { newestPipelinesOfCommits } from '../../ci/pipelines/pipeline.finder.js';
import type { PipelineRecord } from '../../ci/pipelines/pipeline.finder.js';
import { basicPipeline } from '../../ci/pipelines/pipeline.shape.js';
import type { ProjectRecord } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { commitShape } from '../repositories/branch.shape.js';
import { openRepository } from '../repositories/write-refs.js';

/** A commit in its project; what is more than git's own is loaded by the shapes that show it. */
export interface CommitRecord extends Commit {
  project: ProjectRecord;
  /** Whether lines are counted: it costs a look at every changed file. */
  counts: boolean;
  stats?: CommitStats;
  last_pipeline?: PipelineRecord | null;
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

async function loadPipelines(ctx: Context, commits: readonly CommitRecord[]): Promise<void> {
  const project = commits[0]?.project;
  if (!project || !projectPolicy.read_pipeline(ctx.caller, project)) return;
  const newest = await newestPipelinesOfCommits(
    ctx,
    project,
    commits.map((commit) => commit.sha),
  );
  for (const commit of commits) commit.last_pipeline = newest.get(commit.sha) ?? null;
}

const stats = out.record(statsShape, (commit: CommitRecord) => commit.stats, { optional: true });

/** A commit in lists, with its lines counted where that was asked for (delivery-resources.md section 6). */
export const listedCommit = shape<CommitRecord>('ListedCommit', { ...commitShape.fields, stats }, { load: loadStats });

/** A commit with its newest pipeline, as far as the caller may read pipelines. */
export const commitDetails = shape<CommitRecord>(
  'CommitDetails',
  {
    ...commitShape.fields,
    stats,
    project_id: out.integer((commit) => commit.project.id),
    status: out.maybeText((commit) => commit.last_pipeline?.status ?? null),
    last_pipeline: out.maybeRecord(basicPipeline, (commit) => commit.last_pipeline ?? null),
  },
  {
    load: async (ctx, commits) => {
      await Promise.all([loadOwnStats(ctx, commits), loadPipelines(ctx, commits)]);
    },
  },
);

/** A branch or tag that has a commit. */
export const commitRefShape = shape<{ type: 'branch' | 'tag'; name: string }>('CommitRef', {
  type: out.text((ref) => ref.type, { enum: ['branch', 'tag'] }),
  name: out.text((ref) => ref.name),
});
