import { expressionBuilder } from 'kysely';
import { aboutProject } from '../../core/values/job-context.js';
import { columns } from '../../core/database/columns.js';
import { anyOf, constant } from '../../core/database/expressions.js';
import { byId } from '../../core/database/list.js';
import type { List, OrderStep } from '../../core/database/list.js';
import { oneOf, optional, text } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import type { Resource } from '../../core/operations/operation.js';
import { policy } from '../../core/operations/policy.js';
import { out, serializer } from '../../core/operations/serializer.js';
import type { UserOrAnonymous } from '../../core/context/callers.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { project } from '../../tenancy/projects/project.finder.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { CiDatabase } from '../ci.entities.js';
import { assignResources } from '../ci.jobs.js';
import { UPCOMING_STATUSES } from '../job-states/status-predicates.js';
import { findJob, findPipelineJobs, onPipelineJobs } from '../jobs/job.finder.js';
import type { JobRecord } from '../jobs/job.finder.js';
import { ResourceGroup } from '../pipelines/resource-group.entity.js';
import { PROCESS_MODES } from '../processing/resource-groups.js';

/** A resource group with its project. */
export interface ResourceGroupRecord extends ResourceGroup {
  project: ProjectRecord;
}

const resourceGroupPolicy = policy({
  update_resource_group: (caller: UserOrAnonymous, group: ResourceGroupRecord) =>
    projectPolicy.create_pipeline(caller, group.project),
});

const listOf = (found: ProjectRecord): List<ResourceGroupRecord> => ({
  matching: expressionBuilder<CiDatabase>().selectFrom('resource_groups as g').where('g.project_id', '=', found.id),
  select: (query) => query.select(columns(ResourceGroup, 'g')),
  order: [byId('g', 'asc')],
  read: (row) => ({ ...row, project: found }),
});

/** The resource of `/projects/:id/resource_groups/:key`. */
const resourceGroup: Resource<ResourceGroupRecord> = {
  noun: 'Resource group',
  params: {
    ...project.params,
    key: text()
      .describe('Key of the resource group.')
      .meta({ examples: ['production'] }),
  },
  async find(ctx, input: { id: string; key: string }) {
    const found = await project.find(ctx, input);
    if (!projectPolicy.read_pipeline(ctx.caller, found)) throw new Forbidden();
    const row = await ctx.em
      .getKysely<CiDatabase>()
      .selectFrom('resource_groups as g')
      .select(columns(ResourceGroup, 'g'))
      .where('g.project_id', '=', found.id)
      .where('g.key', '=', input.key)
      .executeTakeFirst();
    if (!row) throw new NotFound();
    return { ...row, project: found };
  },
  about: (record) => aboutProject(record.project),
};

/** List the resource groups of a project, the oldest first. */
export const listResourceGroups = operation({
  name: 'listResourceGroups',
  summary: "List a project's resource groups",
  resource: project,
  can: can(projectPolicy, 'read_pipeline'),
  authentication: 'open',
  kind: 'read',
  statements: 4,
  run: (_ctx, found) => Promise.resolve(listOf(found)),
});

/** Read one resource group. */
export const getResourceGroup = operation({
  name: 'getResourceGroup',
  summary: 'Read a resource group',
  resource: resourceGroup,
  authentication: 'open',
  kind: 'read',
  statements: 4,
  run: (_ctx, found) => Promise.resolve(found),
});

/** Read the job that uses a resource. @throws NotFound while none does */
export const getCurrentJob = operation({
  name: 'getCurrentJob',
  summary: 'Read the current job of a resource group',
  resource: resourceGroup,
  authentication: 'open',
  kind: 'read',
  statements: 8,
  run(ctx, found) {
    if (typeof found.holder_job_id !== 'number') throw new NotFound();
    return findJob(ctx, found.project, found.holder_job_id);
  },
});

/** List the jobs that will want a resource, in the order in which they get it. */
export const listUpcomingJobs = operation({
  name: 'listUpcomingJobs',
  summary: 'List the upcoming jobs of a resource group',
  resource: resourceGroup,
  authentication: 'open',
  kind: 'read',
  statements: 9,
  run(_ctx, found) {
    const counted = ['oldest_first', 'newest_first'].includes(found.process_mode)
      ? UPCOMING_STATUSES
      : ['waiting_for_resource'];
    const jobs = findPipelineJobs(found.project, [
      onPipelineJobs('j.resource_group_id', '=', found.id),
      onPipelineJobs('j.retried', '=', constant(false)),
      onPipelineJobs('j.status', '=', anyOf(counted as readonly string[], 'text')),
    ]);
    // A retry has a new id, and the turn of its pipeline.
    const byPipeline: OrderStep<JobRecord> = {
      key: 'pipeline_id',
      expression: onPipelineJobs.ref('j.pipeline_id'),
      direction: found.process_mode.startsWith('newest') ? 'desc' : 'asc',
      type: 'integer',
      value: (job) => job.pipeline_id,
    };
    return Promise.resolve({ ...jobs, order: [byPipeline, byId<JobRecord>('j', 'asc')] });
  },
});

/** Edit a resource group: which of the jobs that wait is next. */
export const updateResourceGroup = operation({
  name: 'updateResourceGroup',
  summary: 'Edit a resource group',
  resource: resourceGroup,
  can: can(resourceGroupPolicy, 'update_resource_group'),
  kind: 'write',
  params: {
    process_mode: optional(oneOf(PROCESS_MODES)).describe('Mode that chooses the next job of those that wait.'),
  },
  async run(ctx, found, { process_mode: mode }) {
    if (mode === undefined) return found;
    const changes = { process_mode: mode, updated_at: ctx.clock.now() };
    await ctx.em.nativeUpdate(ResourceGroup, { id: found.id }, changes);
    // A job that waited for an older or newer one may be next now.
    await ctx.jobs.sendAll(assignResources, [{ resource_group_id: found.id }]);
    return { ...found, ...changes };
  },
});

/** A resource group (ci-execution.md 13). */
export const resourceGroupSerializer = serializer<ResourceGroupRecord>('ResourceGroup', {
  id: out.integer((group) => group.id),
  key: out.text((group) => group.key),
  process_mode: out.text((group) => group.process_mode, { enum: [...PROCESS_MODES] }),
  created_at: out.instant((group) => group.created_at),
  updated_at: out.instant((group) => group.updated_at),
});
