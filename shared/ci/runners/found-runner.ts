import { expressionBuilder } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { constant } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { integer } from '../../core/operations/fields.js';
import type { Resource } from '../../core/operations/operation.js';
import type { WithAccess } from '../../core/operations/policy.js';
import { Forbidden, NotFound } from '../../core/values/errors.js';
import { memberOfProject, namespaceAccess, projectAccess } from '../../tenancy/namespaces/access.js';
import { queryForCaller } from '../../tenancy/namespaces/for-caller.js';
import type { ContainerSummary } from '../../tenancy/tenancy.events.js';
import type { CiDatabase } from '../ci.entities.js';
import { selectRunners } from './runner.finder.js';
import type { RunnerRecord } from './runner.finder.js';

/** A runner with what rights depend on. */
export interface FoundRunner extends RunnerRecord, WithAccess {
  /** Its group, or the project that it was first assigned to; null for one of the instance. */
  owner: ContainerSummary | null;
  /** Whether the caller is a Maintainer of a project that it is assigned to. */
  maintained: boolean;
  /** Whether it is assigned to more than one project. */
  assigned_to_several: boolean;
}

const MAINTAINER = 40;

type Tables = Aliased<
  CiDatabase,
  { r: 'runners'; p: 'projects'; n: 'namespaces'; pr: 'routes'; gr: 'routes'; rp: 'runner_projects' }
>;
const everyTable = expressionBuilder<Tables, 'gr' | 'n' | 'p' | 'pr' | 'r'>();

const assignments = everyTable.selectFrom('runner_projects as rp').whereRef('rp.runner_id', '=', 'r.id');
/** The project that runner `r` was first assigned to. */
const firstProject = assignments.select('rp.project_id').orderBy('rp.id').limit(constant(1));

interface Row extends Omit<FoundRunner, 'owner'> {
  owner_project_id: number | null;
  owner_namespace_id: number | null;
  owner_path: string | null;
}

const loadRunner = queryForCaller<CiDatabase, { id: number }, Row>((db, { userId, day }, { id }) =>
  selectRunners(db.selectFrom('runners as r'))
    .leftJoin('projects as p', (join) => join.on('p.id', '=', firstProject))
    .leftJoin('namespaces as n', (join) =>
      join.on((on) => on('n.id', '=', on.fn.coalesce('r.namespace_id', 'p.namespace_id'))),
    )
    .leftJoin('routes as pr', 'pr.project_id', 'p.id')
    .leftJoin('routes as gr', 'gr.namespace_id', 'r.namespace_id')
    .where('r.id', '=', id)
    .select((eb) => [
      'p.id as owner_project_id',
      'p.namespace_id as owner_namespace_id',
      eb.fn.coalesce('pr.path', 'gr.path').as('owner_path'),
      eb
        .case()
        .when('r.runner_type', '=', constant('group_type'))
        .then(namespaceAccess(userId, day))
        .when('r.runner_type', '=', constant('project_type'))
        .then(projectAccess(userId, day))
        .else(constant(0))
        .end()
        .as('access'),
      eb
        .exists(
          assignments
            .innerJoin('projects as p', 'p.id', 'rp.project_id')
            .select(constant(1).as('one'))
            .where(memberOfProject(userId as never, day, MAINTAINER)),
        )
        .$castTo<boolean>()
        .as('maintained'),
      eb
        .exists(assignments.select(constant(1).as('one')).where('rp.project_id', '<>', eb.ref('p.id')))
        .$castTo<boolean>()
        .as('assigned_to_several'),
    ]),
);

function getOwner(row: Row): ContainerSummary | null {
  const { owner_project_id: projectId, owner_namespace_id: namespaceId, owner_path: fullPath } = row;
  if (row.namespace_id) return { group: { id: row.namespace_id, full_path: fullPath ?? '' } };
  if (!projectId) return null;
  return { project: { id: projectId, full_path: fullPath ?? '', namespace_id: namespaceId ?? 0 } };
}

/** A runner by its id, with the caller's rights on it. @throws NotFound "404 Runner Not Found" */
export async function findRunner(ctx: Context, id: number): Promise<FoundRunner> {
  const [row] = await loadRunner(ctx, { id });
  if (!row) throw new NotFound('Runner');
  return { ...row, owner: getOwner(row), access: row.access ?? 0 };
}

/** Keeps a runner from being changed by others until the transaction ends. */
export async function lockRunnerRow(ctx: Context, id: number): Promise<void> {
  const { em } = ctx;
  const runners = em.getKysely<CiDatabase>().selectFrom('runners as r').select('r.id').where('r.id', '=', id);
  await runners.forNoKeyUpdate().execute();
}

/** The answer to who has no right on a runner that exists (ci-execution.md section 9). */
export const noAccess = () => new Forbidden('No access granted');

/** The resource of `/runners/:id`. */
export const runner: Resource<FoundRunner> = {
  noun: 'Runner',
  params: { id: integer().describe('ID of the runner.') },
  find: (ctx, input: { id: number }) => findRunner(ctx, input.id),
};
