import { sql } from 'kysely';
import {
  attribute,
  containerId,
  copiedRows,
  selectElements,
  integerAt,
  restoredRows,
  nextId,
  occurrence,
  r,
  tables,
  time,
  timeAt,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';

const ENVIRONMENTS = 'environments';
const PROTECTED = 'protected_environments';
type EnvironmentTable = typeof ENVIRONMENTS | typeof PROTECTED;

/** Whether the project has a record in one of the tables with the row's name or slug. */
const isInUse = (
  { container, ...restoring }: RestoringProject,
  table: EnvironmentTable,
  column: 'name' | 'slug' = 'name',
) =>
  r.exists(
    tables(restoring)
      .selectFrom(`${table} as t` as 'environments as t')
      .select('t.id')
      .where('t.project_id', '=', container.id)
      .where(`t.${column}`, '=', attribute(column).$notNull()),
  );

/** Rows get ids where the project has nothing of their names; others get the reason. Of a name there is one row. */
async function reserveFreeIds(restoring: RestoringProject, table: EnvironmentTable): Promise<void> {
  const free = tables(restoring)
    .selectFrom('archive_import_rows as r')
    .select(['r.line', r.not(isInUse(restoring, table)).as('free')])
    .where(copiedRows(restoring, table));
  await tables(restoring)
    .updateTable('archive_import_rows as r')
    .from(free.as('x'))
    .set((eb) => ({
      made_id: eb.case().when('x.free', '=', true).then(nextId(table)).end(),
      problem: eb.case().when('x.free', '=', false).then(sql.lit('name has already been taken')).end(),
    }))
    .where(copiedRows(restoring, table))
    .whereRef('r.line', '=', 'x.line')
    .execute();
}

export const environmentRestorer: Restorer<RestoringProject> = {
  relation: ENVIRONMENTS,
  async restore(restoring) {
    await reserveFreeIds(restoring, ENVIRONMENTS);
    // A slug that is taken gets a different suffix, like the slug of a name that is not a valid slug.
    const slug = r
      .case()
      .when(r.and([r(occurrence(attribute('slug')), '=', 1), r.not(isInUse(restoring, ENVIRONMENTS, 'slug'))]))
      .then(attribute('slug'))
      .else(sql<string>`left(${attribute('slug')}, 17) || '-' || left(md5(gen_random_uuid()::text), 6)`)
      .end();
    await tables(restoring)
      .insertInto('environments')
      .columns([
        ...(['id', 'project_id', 'name', 'slug', 'external_url', 'description', 'state', 'tier'] as const),
        ...(['auto_stop_at', 'auto_stop_setting', 'kubernetes_namespace', 'flux_resource_path'] as const),
        ...(['created_at', 'updated_at'] as const),
      ])
      .expression(
        restoredRows(restoring, ENVIRONMENTS).select([
          'r.made_id',
          containerId(restoring).as('project_id'),
          attribute('name').as('name'),
          slug.as('slug'),
          attribute('external_url').as('external_url'),
          attribute('description').as('description'),
          attribute('state').as('state'),
          attribute('tier').as('tier'),
          timeAt('r.data', 'auto_stop_at').as('auto_stop_at'),
          attribute('auto_stop_setting').as('auto_stop_setting'),
          attribute('kubernetes_namespace').as('kubernetes_namespace'),
          attribute('flux_resource_path').as('flux_resource_path'),
          time(restoring, 'created_at').as('created_at'),
          time(restoring, 'updated_at').as('updated_at'),
        ]),
      )
      .execute();
  },
};

/** The roles in a list of a protected environment, as `e`. */
const rolesIn = (restoring: RestoringProject, list: string) =>
  selectElements(restoring, PROTECTED, list)
    .select([
      'r.made_id',
      integerAt('e.data', 'access_level').as('access_level'),
      integerAt('e.data', 'group_inheritance_type').as('group_inheritance_type'),
    ])
    .orderBy('r.line')
    .orderBy('e.at');

/** Protected environments, with roles only. */
export const protectedEnvironmentRestorer: Restorer<RestoringProject> = {
  relation: PROTECTED,
  plan: 'premium',
  async restore(restoring) {
    const db = tables(restoring);
    await reserveFreeIds(restoring, PROTECTED);
    await db
      .insertInto('protected_environments')
      .columns(['id', 'project_id', 'name', 'required_approval_count', 'created_at', 'updated_at'])
      .expression(
        restoredRows(restoring, PROTECTED).select([
          'r.made_id',
          containerId(restoring).as('project_id'),
          attribute('name').as('name'),
          integerAt('r.data', 'required_approval_count').as('required_approval_count'),
          time(restoring, 'created_at').as('created_at'),
          time(restoring, 'updated_at').as('updated_at'),
        ]),
      )
      .execute();
    await db
      .insertInto('protected_environment_deploy_levels')
      .columns(['protected_environment_id', 'access_level', 'group_inheritance_type'])
      .expression(rolesIn(restoring, 'deploy_access_levels'))
      .execute();
    await db
      .insertInto('protected_environment_approval_rules')
      .columns(['protected_environment_id', 'access_level', 'group_inheritance_type', 'required_approvals'])
      .expression(
        rolesIn(restoring, 'approval_rules').select(integerAt('e.data', 'required_approvals').as('required_approvals')),
      )
      .execute();
  },
};
