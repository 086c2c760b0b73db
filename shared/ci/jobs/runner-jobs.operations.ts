import { expressionBuilder } from 'kysely';
import type { SelectQueryBuilder } from 'kysely';
import { nested } from '../../core/database/columns.js';
import { byId } from '../../core/database/list.js';
import type { List } from '../../core/database/list.js';
import type { Aliased } from '../../core/database/tables.js';
import { oneOf, optional, text, withDefault } from '../../core/operations/fields.js';
import { can, operation } from '../../core/operations/operation.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import type { CiDatabase } from '../ci.entities.js';
import { readsSchedules } from '../pipeline-schedules/visible-schedules.js';
import { noAccess, runner } from '../runners/found-runner.js';
import { runnerPolicy } from '../runners/runner.policy.js';
import { jobTables, selectJobRecords } from './job.finder.js';
import type { JobRecord } from './job.finder.js';

type OfJobs = Aliased<CiDatabase, { j: 'jobs'; pl: 'pipelines'; p: 'projects'; m: 'runner_managers' }>;

/** Selects records of jobs `j` with what is shown of their projects `p`. */
const selectWithProject = (query: SelectQueryBuilder<OfJobs, 'j' | 'p' | 'pl', object>) =>
  selectJobRecords(
    query.innerJoin('routes as r', 'r.project_id', 'p.id').select((eb) =>
      nested('project', Project, 'p', {
        more: { full_name: eb.ref('r.name'), full_path: eb.ref('r.path') },
      }),
    ) as never,
  );

const addProject = (job: JobRecord): JobRecord => ({
  ...job,
  // Answers about a list show of a project what is selected.
  pipeline: { ...job.pipeline, project: job.project as ProjectRecord },
  commit: null,
});

export const listRunnerJobs = operation({
  name: 'listRunnerJobs',
  summary: 'List the jobs of a runner',
  resource: runner,
  can: can(runnerPolicy, 'read_runner_work'),
  denial: noAccess,
  kind: 'read',
  scopes: ['api', 'read_api', 'manage_runner'],
  statements: 5,
  params: {
    status: optional(oneOf(['running', 'success', 'failed', 'canceled'])).describe('Status of the jobs.'),
    system_id: optional(text()).describe('Name of the program that has or had the jobs.'),
    order_by: optional(oneOf(['id'])).describe('Column to sort the jobs by.'),
    sort: withDefault(oneOf(['asc', 'desc']), 'desc').describe('Direction of the order.'),
  },
  run(ctx, { id }, { status, system_id: systemId, sort }) {
    let matching = jobTables(expressionBuilder<CiDatabase>())
      .innerJoin('projects as p', 'p.id', 'j.project_id')
      .where('j.runner_id', '=', id)
      .where(readsSchedules(ctx));
    if (status !== undefined) matching = matching.where('j.status', '=', status);
    if (systemId !== undefined)
      matching = matching.where('j.runner_manager_id', '=', (eb) =>
        eb
          .selectFrom('runner_managers as m')
          .select('m.id')
          .where('m.runner_id', '=', id)
          .where('m.system_id', '=', systemId),
      );
    const jobs: List<JobRecord> = {
      matching,
      select: selectWithProject,
      order: [byId('j', sort)],
      read: addProject,
    };
    return Promise.resolve(jobs);
  },
});
