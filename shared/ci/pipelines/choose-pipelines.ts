import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { BadParams } from '../../core/errors.js';
import { integer, list, optional, text } from '../../core/fields.js';
import { can, operation } from '../../core/operation.js';
import { and, sql } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import { pipelineFilters, pipelineFilterParams } from './pipeline.filters.js';
import { pipelineColumns, pipelinesOf, pipelineTables } from './pipeline.finder.js';
import type { PipelineRecord } from './pipeline.finder.js';

// Ways to find a project's pipelines that GraphQL offers and REST does not (graphql.md section 5.3).

const reading = {
  subject: project,
  can: can(projectPolicy, 'read_pipeline'),
  gate: 'open',
  kind: 'read',
} as const;

/** List a project's pipelines, newest first, or only those of some ids. */
export const choosePipelines = operation({
  name: 'choosePipelines',
  summary: "List a project's pipelines by id",
  ...reading,
  statements: 5,
  params: { ...pipelineFilterParams, ids: optional(list(integer())).describe('Only these.') },
  run(_ctx, found: ProjectRecord, { ids, ...filters }) {
    return Promise.resolve(
      pipelineFilters(pipelinesOf(found, ids ? [sql`pl.id = any(${ids}::bigint[])`] : []), filters),
    );
  },
});

/** Find one pipeline of a project by its number there, its id, or the commit that it is the newest of. Null for none. */
export const findPipelineByName = operation({
  name: 'findPipelineByName',
  summary: 'Find a pipeline by one of its names',
  ...reading,
  statements: 4,
  params: {
    iid: optional(integer()).describe('Number within the project.'),
    id: optional(integer()).describe('Id.'),
    sha: optional(text()).describe('Commit.'),
  },
  async run(ctx, found, { iid, id, sha }): Promise<PipelineRecord | null> {
    const names: Fragment[] = [];
    if (iid !== undefined) names.push(sql`pl.iid = ${iid}`);
    if (id !== undefined) names.push(sql`pl.id = ${id}`);
    if (sha !== undefined) names.push(sql`pl.sha = ${sha}`);
    if (names.length !== 1) throw new BadParams(['One and only one of [iid, id, sha] arguments is required.']);
    const row = await ctx.queryOne<PipelineRecord>(sql`
      select ${pipelineColumns} from ${pipelineTables}
       where pl.project_id = ${found.id} and ${names[0]} order by pl.id desc limit 1`);
    return row && { ...row, project: found };
  },
});

/** Count a project's pipelines by how far they are. */
export const countPipelines = operation({
  name: 'countPipelines',
  summary: "Count a project's pipelines",
  ...reading,
  statements: 4,
  params: {
    ref: pipelineFilterParams.ref,
    sha: pipelineFilterParams.sha,
    source: pipelineFilterParams.source,
  },
  async run(ctx, found, { ref, sha, source }) {
    const where = [sql`pl.project_id = ${found.id}`];
    if (ref !== undefined) where.push(sql`pl.ref = ${ref}`);
    if (sha !== undefined) where.push(sql`pl.sha = ${sha}`);
    if (source !== undefined) where.push(sql`pl.source = ${source === 'scheduled' ? 'schedule' : source}`);
    const counts = await ctx.queryOne<{ all: number; finished: number; pending: number; running: number }>(sql`
      select count(*) as "all",
             count(*) filter (where pl.status in ('success', 'failed', 'canceled')) as "finished",
             count(*) filter (where pl.status = 'pending') as "pending",
             count(*) filter (where pl.status = 'running') as "running"
        from pipelines pl where ${and(where)}`);
    return counts ?? { all: 0, finished: 0, pending: 0, running: 0 };
  },
});
