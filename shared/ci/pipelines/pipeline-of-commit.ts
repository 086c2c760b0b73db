import type { Context } from '../../core/context.js';
import { extendShape, out } from '../../core/shape.js';
import { commitDetails } from '../../repositories/commits/commit.shape.js';
import type { CommitRecord } from '../../repositories/commits/commit.shape.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { newestPipelinesOfCommits } from './pipeline.finder.js';
import type { PipelineRecord } from './pipeline.finder.js';
import { basicPipeline } from './pipeline.shape.js';

/** The newest pipeline of each commit that is being shown, where there is one that the caller may read. */
const newestOf = new WeakMap<CommitRecord, PipelineRecord>();

async function loadNewest(ctx: Context, commits: readonly CommitRecord[]): Promise<void> {
  const project = commits[0]?.project;
  if (!project || !projectPolicy.read_pipeline(ctx.caller, project)) return;
  const shas = commits.map(({ sha }) => sha);
  const newest = await newestPipelinesOfCommits(ctx, project, shas);
  for (const commit of commits) {
    const pipeline = newest.get(commit.sha);
    if (pipeline) newestOf.set(commit, pipeline);
  }
}

/** Has a commit tell its newest pipeline (delivery-resources.md section 6). */
export function addPipelineToCommits(): void {
  extendShape(
    commitDetails,
    {
      status: out.maybeText((commit) => newestOf.get(commit)?.status ?? null),
      last_pipeline: out.maybeRecord(basicPipeline, (commit) => newestOf.get(commit) ?? null),
    },
    loadNewest,
  );
}
