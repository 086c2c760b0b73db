import { load } from '../../core/context/loads.js';
import { extendSerializer, out } from '../../core/operations/serializer.js';
import { commitDetails } from '../../repositories/commits/commit.serializer.js';
import type { CommitRecord } from '../../repositories/commits/commit.serializer.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { newestPipelinesOfCommits } from './pipeline.finder.js';
import type { PipelineRecord } from './pipeline.finder.js';
import { basicPipeline } from './pipeline.serializer.js';

/** The newest pipeline of each commit of a project, where there is one that the caller may read. */
const newestPipeline = load(
  (commit: Readonly<CommitRecord>) => commit.sha,
  async (ctx, commits) => {
    const { project } = commits[0]!;
    if (!projectPolicy.read_pipeline(ctx.caller, project)) return new Map<string, PipelineRecord>();
    return newestPipelinesOfCommits(
      ctx,
      project,
      commits.map(({ sha }) => sha),
    );
  },
);

/** Adds the newest pipeline to commit details (delivery-resources.md section 6). */
export function addPipelineToCommits(): void {
  extendSerializer(
    commitDetails,
    {
      status: out.nullableText((commit, ctx) => newestPipeline.of(commit, ctx)?.status ?? null),
      last_pipeline: out.nullableRecord(basicPipeline, (commit, ctx) => newestPipeline.of(commit, ctx) ?? null),
    },
    [newestPipeline],
  );
}
