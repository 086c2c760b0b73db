import { sql } from 'kysely';
import {
  arrayElements,
  attribute,
  copiedRows,
  madeRows,
  nextId,
  r,
  tables,
  time,
} from '../archive-imports/restoring.js';
import type { Restorer, RestoringProject } from '../archive-imports/restoring.js';

const ENVIRONMENTS = 'environments';
const PROTECTED = 'protected_environments';
type Named = typeof ENVIRONMENTS | typeof PROTECTED;

/** What a project has in one of the tables under the name, or slug, that the row says. */
const isTaken = ({ container, ...restoring }: RestoringProject, table: Named, column: 'name' | 'slug' = 'name') =>
  r.exists(
    tables(restoring)
      .selectFrom(`${table} as t` as 'environments as t')
      .select('t.id')
      .where('t.project_id', '=', container.id)
      .where(`t.${column}`, '=', attribute(column) as never),
  );

/** The number of the row among those of the same value. */
const occurrence = (name: string) =>
  r.fn.agg<number>('row_number').over((over) => over.partitionBy(attribute(name) as never).orderBy('r.line'));

/** The first row of each name gets an id, where the project has nothing of that name; others get the reason. */
async function giveIds(restoring: RestoringProject, table: Named): Promise<void> {
  const free = tables(restoring)
    .selectFrom('archive_import_rows as r')
    .select(['r.line', r.and([r.not(isTaken(restoring, table)), r(occurrence('name'), '=', 1)]).as('free')])
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
    await giveIds(restoring, ENVIRONMENTS);
    // A slug that is taken gets another end, as that of a name does which cannot be a slug.
    const slug = r
      .case()
      .when(r.and([r(occurrence('slug'), '=', 1), r.not(isTaken(restoring, ENVIRONMENTS, 'slug'))]))
      .then(attribute('slug'))
      .else(sql<string>`left(${attribute('slug')}, 17) || '-' || left(md5(gen_random_uuid()::text), 6)`)
      .end();
    await tables(restoring)
      .insertInto('environments')
      .columns([
        'id',
        'project_id',
        'name',
        'slug',
        'external_url',
        'description',
        'state',
        'tier',
        'auto_stop_at',
        'auto_stop_setting',
        'kubernetes_namespace',
        'flux_resource_path',
        'created_at',
        'updated_at',
      ])
      .expression((eb) =>
        madeRows(restoring, ENVIRONMENTS).select([
          'r.made_id',
          eb.cast<number>(eb.val(restoring.container.id), 'bigint').as('project_id'),
          attribute('name').as('name'),
          slug.as('slug'),
          attribute('external_url').as('external_url'),
          attribute('description').as('description'),
          attribute('state').as('state'),
          attribute('tier').as('tier'),
          eb.cast<Date | null>(attribute('auto_stop_at'), 'timestamptz').as('auto_stop_at'),
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
const entriesOf = (restoring: RestoringProject, list: string) =>
  tables(restoring)
    .selectFrom(['archive_import_rows as r', arrayElements(sql`r.data -> ${sql.lit(list)}`)])
    .where(copiedRows(restoring, PROTECTED))
    .where('r.made_id', 'is not', null)
    .orderBy('r.line')
    .orderBy('e.at');

/** A number of an entry. */
const numberOf = (name: string) => sql<number>`(e.data ->> ${sql.lit(name)})::integer`;

/** Who may deploy where, by roles. */
export const protectedEnvironmentRestorer: Restorer<RestoringProject> = {
  relation: PROTECTED,
  plan: 'premium',
  async restore(restoring) {
    const db = tables(restoring);
    await giveIds(restoring, PROTECTED);
    await db
      .insertInto('protected_environments')
      .columns(['id', 'project_id', 'name', 'required_approval_count', 'created_at', 'updated_at'])
      .expression((eb) =>
        madeRows(restoring, PROTECTED).select([
          'r.made_id',
          eb.cast<number>(eb.val(restoring.container.id), 'bigint').as('project_id'),
          attribute('name').as('name'),
          eb.cast<number>(attribute('required_approval_count'), 'integer').as('required_approval_count'),
          time(restoring, 'created_at').as('created_at'),
          time(restoring, 'updated_at').as('updated_at'),
        ]),
      )
      .execute();
    const roles = [numberOf('access_level').as('level'), numberOf('group_inheritance_type').as('inherits')] as const;
    await db
      .insertInto('protected_environment_deploy_levels')
      .columns(['protected_environment_id', 'access_level', 'group_inheritance_type'])
      .expression(entriesOf(restoring, 'deploy_access_levels').select(['r.made_id', ...roles]))
      .execute();
    await db
      .insertInto('protected_environment_approval_rules')
      .columns(['protected_environment_id', 'access_level', 'group_inheritance_type', 'required_approvals'])
      .expression(
        entriesOf(restoring, 'approval_rules').select([
          'r.made_id',
          ...roles,
          numberOf('required_approvals').as('approvals'),
        ]),
      )
      .execute();
  },
};
