import type { Expression, SqlBool } from 'kysely';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { BadParams } from '../../core/values/errors.js';
import { integer, list, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { CiDatabase } from '../ci.entities.js';
import { FINISHED, pipelineFilters, pipelineFilterParams, storedSource } from './pipeline.filters.js';
import { loadNewestPipeline, onPipelines, findPipelines } from './pipeline.finder.js';
import type { PipelineRecord } from './pipeline.finder.js';

// Ways to find a project's pipelines that GraphQL offers and REST does not (graphql.md section 5.3).

const reading = {
  resource: project,
  can: can(projectPolicy, 'read_pipeline'),
  authentication: 'open',
  kind: 'read',
} as const;

/** List a project's pipelines, newest first, or only those with the requested ids. */
export const choosePipelines = operation({
  name: 'choosePipelines',
  summary: "List a project's pipelines by id",
  ...reading,
  statements: 5,
  params: { ...pipelineFilterParams, ids: optional(list(integer())).describe('Filter by IDs of the pipelines.') },
  run(_ctx, found: ProjectRecord, { ids, ...filters }) {
    const where = ids ? [onPipelines('pl.id', '=', anyOf(ids, 'bigint'))] : [];
    return Promise.resolve(pipelineFilters(findPipelines(found, where), filters));
  },
});

/** Find one pipeline of a project by its number there, its id, or the commit that it is the newest of. Null for none. */
export const findPipelineByName = operation({
  name: 'findPipelineByName',
  summary: 'Find a pipeline by IID, ID or SHA',
  ...reading,
  statements: 4,
  params: {
    iid: optional(integer()).describe('Number of the pipeline in its project.'),
    id: optional(integer()).describe('ID of the pipeline.'),
    sha: optional(text()).describe('SHA of the commit.'),
  },
  async run(ctx, found, { iid, id, sha }): Promise<PipelineRecord | null> {
    const names: Expression<SqlBool>[] = [];
    if (iid !== undefined) names.push(onPipelines('pl.iid', '=', iid));
    if (id !== undefined) names.push(onPipelines('pl.id', '=', id));
    if (sha !== undefined) names.push(onPipelines('pl.sha', '=', sha));
    const [name] = names;
    if (!name || names.length !== 1) throw new BadParams(['One and only one of [iid, id, sha] arguments is required.']);
    return loadNewestPipeline(ctx, found, name);
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
    const where: Expression<SqlBool>[] = [];
    if (ref !== undefined) where.push(onPipelines('pl.ref', '=', ref));
    if (sha !== undefined) where.push(onPipelines('pl.sha', '=', sha));
    if (source !== undefined) where.push(onPipelines('pl.source', '=', storedSource(source)));
    return ctx.em
      .getKysely<CiDatabase>()
      .selectFrom('pipelines as pl')
      .select(({ fn }) => [
        fn.countAll<number>().as('all'),
        fn.countAll<number>().filterWhere('pl.status', 'in', FINISHED).as('finished'),
        fn.countAll<number>().filterWhere('pl.status', '=', constant('pending')).as('pending'),
        fn.countAll<number>().filterWhere('pl.status', '=', constant('running')).as('running'),
      ])
      .where('pl.project_id', '=', found.id)
      .where(onPipelines.and(where))
      .executeTakeFirstOrThrow();
  },
});
