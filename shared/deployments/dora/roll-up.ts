import { expressionBuilder } from 'kysely';
import type { Context } from '../../core/context/context.js';
import { anyOf, constant, isOnDay, unnestedRows } from '../../core/database/expressions.js';
import { lockName } from '../../core/database/lock-name.js';
import { readRows } from '../../core/database/prepared.js';
import { asQueryOf } from '../../core/database/tables.js';
import { computeRows } from './computed-rows.js';
import type { Among, OfDora, Sources } from './computed-rows.js';
import type { EnvironmentDay } from './stale-days.js';

const db = expressionBuilder<OfDora>();
const onRows = expressionBuilder<OfDora, 'm'>();

const METRICS = [
  'deployment_frequency',
  'lead_time_for_changes_in_seconds',
  'time_to_restore_service_in_seconds',
  'incidents_count',
] as const;

/** Writes the rows that differ and removes those that should not be, by one statement. @returns how many these were */
async function write(ctx: Context, sources: Sources): Promise<number> {
  const { changed } = await computeRows(ctx, sources)
    .with('gone', (of) =>
      of
        .deleteFrom('dora_daily_metrics as m')
        .where(sources.stored)
        .where((eb) => {
          const requestedRow = eb
            .selectFrom('requested as w')
            .select(eb.lit(1).as('one'))
            .whereRef('w.environment_id', '=', 'm.environment_id')
            .whereRef('w.date', '=', 'm.date');
          return eb.not(eb.exists(requestedRow));
        })
        .returning(constant(1).as('one')),
    )
    .with('written', (of) =>
      of
        .insertInto('dora_daily_metrics')
        .columns(['environment_id', 'date', 'project_id', ...METRICS])
        .expression((eb) =>
          eb
            .selectFrom('requested as w')
            .select([
              'w.environment_id',
              'w.date',
              'w.project_id',
              'w.deployments',
              'w.lead',
              'w.restore',
              'w.incidents',
            ]),
        )
        .onConflict((conflict) =>
          conflict
            .columns(['environment_id', 'date'])
            .doUpdateSet((eb) => Object.fromEntries(METRICS.map((name) => [name, eb.ref(`excluded.${name}`)])))
            .where((eb) => {
              const row = <Of extends 'dora_daily_metrics' | 'excluded'>(of: Of) =>
                eb.fn<unknown>(
                  'row',
                  METRICS.map((name) => eb.ref(`${of}.${name}`)),
                );
              return eb(row('dora_daily_metrics'), 'is distinct from', row('excluded'));
            }),
        )
        .returning(constant(1).as('one')),
    )
    .selectNoFrom((eb) => {
      const count = (of: 'gone' | 'written') =>
        eb.cast<number>(
          eb
            .selectFrom(of)
            .select((rows) => rows.fn.countAll<number>().as('count'))
            .$asScalar(),
          'integer',
        );
      return eb(count('gone'), '+', count('written')).as('changed');
    })
    .executeTakeFirstOrThrow();
  return changed;
}

/**
 * Only one transaction at a time computes rows; otherwise one could overwrite newer values with those it read earlier.
 * Their environments cannot be deleted until it ends.
 */
async function holdAlone(ctx: Context, environments: Among<'e'>): Promise<void> {
  await lockName(ctx, 'dora_daily_metrics');
  await readRows(ctx.em, environments.select('e.id').orderBy('e.id').forKeyShare('e'));
}

/**
 * Recomputes days of environments, and the same days of the projects' first production environment, in the open
 * transaction.
 * @returns how many rows were written or removed
 */
export async function rollUpDays(ctx: Context, days: readonly EnvironmentDay[]): Promise<number> {
  const requestedDays = db
    .selectFrom(unnestedRows(days, { environment_id: 'bigint', date: 'date' }).as('g'))
    .innerJoin('environments as o', 'o.id', 'g.environment_id');
  // An incident belongs to the project's current first production environment.
  const keys = requestedDays
    .select(['g.environment_id', 'g.date', 'o.project_id'])
    .union(
      requestedDays
        .crossJoinLateral((eb) =>
          eb
            .selectFrom('environments as f')
            .select('f.id')
            .whereRef('f.project_id', '=', 'o.project_id')
            .where('f.tier', '=', constant('production'))
            .orderBy('f.id')
            .limit(constant(1))
            .as('first'),
        )
        .select(['first.id as environment_id', 'g.date', 'o.project_id']),
    )
    .as('k');
  const environments = db
    .selectFrom('environments as e')
    .where('e.id', 'in', db.selectFrom(keys).select('k.environment_id'));
  const projectDays = db.selectFrom(keys).select(['k.project_id', 'k.date']).distinct().as('k');
  const incidents = (by: 'closed_at' | 'created_at') =>
    asQueryOf<OfDora, 'i'>()(
      db
        .selectFrom(projectDays)
        .innerJoin('issues as i', 'i.project_id', 'k.project_id')
        .where((eb) => isOnDay(eb.ref(`i.${by}`), eb.ref('k.date'))),
    );
  await holdAlone(ctx, environments);
  return write(ctx, {
    environments,
    deployments: asQueryOf<OfDora, 'd'>()(
      db
        .selectFrom(keys)
        .innerJoin('deployments as d', 'd.environment_id', 'k.environment_id')
        .where((eb) => isOnDay(eb.ref('d.finished_at'), eb.ref('k.date'))),
    ),
    opened: incidents('created_at'),
    closed: incidents('closed_at'),
    stored: onRows(
      onRows.refTuple('m.environment_id', 'm.date'),
      'in',
      db.selectFrom(keys).select(['k.environment_id', 'k.date']).$asTuple('environment_id', 'date'),
    ),
  });
}

/**
 * Recomputes all days of some projects, in the open transaction.
 * @returns how many rows were written or removed
 */
export async function rollUpProjects(ctx: Context, projectIds: readonly number[]): Promise<number> {
  const ids = anyOf(projectIds, 'bigint');
  const environments = db.selectFrom('environments as e').where('e.project_id', '=', ids);
  const issues = db.selectFrom('issues as i').where('i.project_id', '=', ids);
  await holdAlone(ctx, environments);
  return write(ctx, {
    environments,
    deployments: db.selectFrom('deployments as d').where('d.project_id', '=', ids),
    opened: issues,
    closed: issues,
    stored: onRows('m.project_id', '=', ids),
  });
}
