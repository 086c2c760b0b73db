import { expressionBuilder } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Aliased } from '../../core/database/tables.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { FAILURES_LISTED } from '../archive-imports/failures.js';

/*
 * What the status of import `i` shows, as expressions.
 */

const i = expressionBuilder<Aliased<ArchivesDatabase, { i: 'archive_imports' }>, 'i'>();

/** How far its relations are, by their names. */
export const importedRelations = jsonArrayFrom(
  i
    .selectFrom('archive_import_relations as p')
    .select(['p.relation', 'p.total', 'p.imported', 'p.skipped'])
    .whereRef('p.import_id', '=', 'i.id')
    .orderBy('p.relation'),
);

/** How many failures are kept of it. */
export const failuresCount = i
  .selectFrom('archive_import_failures as f')
  .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'))
  .whereRef('f.import_id', '=', 'i.id')
  .$asScalar()
  .$notNull();

/** The first of them, without columns. */
export const firstFailures = i
  .selectFrom('archive_import_failures as f')
  .whereRef('f.import_id', '=', 'i.id')
  .orderBy('f.id')
  .limit(FAILURES_LISTED);
