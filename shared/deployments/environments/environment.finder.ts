import type { Context } from '../../core/context.js';
import { Forbidden, NotFound } from '../../core/errors.js';
import { integer } from '../../core/fields.js';
import { aboutProject } from '../../core/job-context.js';
import { byId } from '../../core/list.js';
import type { TextList } from '../../core/list.js';
import type { Subject } from '../../core/operation.js';
import { empty, sql, textColumns } from '../../core/sql.js';
import type { Fragment } from '../../core/sql.js';
import { findProjectOfUrl, project, projectIdSql } from '../../tenancy/projects/project.finder.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { Environment } from './environment.entity.js';
import { projectEnvironmentPolicy } from './environment.policy.js';
import type { EnvironmentRecord } from './environment.record.js';

/** A project's environments in the order in which they were made; filters on `e` are added to `where`. */
export function environmentsOf(found: ProjectRecord, where: readonly Fragment[] = []): TextList<EnvironmentRecord> {
  return {
    select: textColumns(Environment, 'e'),
    from: sql`environments e`,
    where: [sql`e.project_id = ${found.id}`, ...where],
    order: [byId('e', 'asc')],
    read: (row) => ({ ...row, project: found }),
  };
}

/** For a write its row is locked, so that what is found is what is changed. `projectId` may be SQL. */
const loadEnvironment = (
  ctx: Context,
  projectId: number | Fragment,
  condition: Fragment,
): Promise<Environment | null> =>
  ctx.queryOne<Environment>(sql`
    select ${textColumns(Environment, 'e')} from environments e where e.project_id = ${projectId} and ${condition}
    ${ctx.inTransaction ? sql`for no key update of e` : empty}`);

/** The environment of exactly that name; null for none. For a write its row is locked. */
export async function findEnvironmentByName(
  ctx: Context,
  found: ProjectRecord,
  name: string,
): Promise<EnvironmentRecord | null> {
  const row = await loadEnvironment(ctx, found.id, sql`e.name = ${name}`);
  return row && { ...row, project: found };
}

type Input = { id: string; environment_id: number };

/** The subject of `/projects/:id/environments/:environment_id…`: 403 where the caller reads none, then 404. */
export const environment: Subject<EnvironmentRecord> = {
  noun: 'Environment',
  params: { ...project.params, environment_id: integer().describe('Id of the environment.') },
  async find(ctx, { id, environment_id: environmentId }: Input) {
    const load = (projectId: number | Fragment) => loadEnvironment(ctx, projectId, sql`e.id = ${environmentId}`);
    const admit = (found: ProjectRecord) => {
      if (!projectEnvironmentPolicy.read_environment(ctx.caller, found)) throw new Forbidden();
      return found;
    };
    // Outside of a transaction project and environment are read by one round trip.
    const [found, row] = ctx.inTransaction
      ? await findProjectOfUrl(ctx, id).then(async (one) => [admit(one), await load(one.id)] as const)
      : await Promise.all([findProjectOfUrl(ctx, id), load(projectIdSql(id))]);
    admit(found);
    if (!row) throw new NotFound();
    return { ...row, project: found };
  },
  about: (record) => aboutProject(record.project),
};
