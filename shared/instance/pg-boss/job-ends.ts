import { expressionBuilder, sql } from 'kysely';
import type { Expression, ExpressionWrapper, SqlBool } from 'kysely';
import { anyOf, constant } from '../../core/database/expressions.js';
import type { PgBossDatabase } from './tables.js';

const onJobs = expressionBuilder<PgBossDatabase, never>();

/** Jobs of which a try comes or runs. */
const unfinished = () =>
  onJobs
    .selectFrom('pgboss.job as j')
    .select(constant(1).as('found'))
    .where('j.state', 'in', [constant('created'), constant('retry'), constant('active')]);

type Condition = ExpressionWrapper<PgBossDatabase, never, SqlBool>;

/**
 * Whether a job, by its kind's name and its id, is completed, has failed for good or no longer exists: it will not be
 * attempted again.
 */
export const jobIsOver = (name: Expression<string>, id: Expression<string | null>): Condition =>
  onJobs.not(
    onJobs.exists(
      unfinished()
        .where('j.name', '=', name)
        .where('j.id', '=', id as Expression<string>),
    ),
  );

/** Whether no job of some kinds comes or runs any more that carries a value: a text under a key of its payload. */
export const jobsAreOver = (names: readonly string[], key: string, value: Expression<string>): Condition =>
  onJobs.not(
    onJobs.exists(
      unfinished()
        .where('j.name', '=', anyOf(names, 'text'))
        .where((eb) => eb(sql<string>`${eb.ref('j.data')} ->> ${key}`, '=', value)),
    ),
  );
