import { expressionBuilder, sql } from 'kysely';
import { jsonArrayFrom, jsonBuildObject } from 'kysely/helpers/postgres';
import type { Context } from '../../core/context/context.js';
import { load } from '../../core/context/loads.js';
import { columns } from '../../core/database/columns.js';
import { constant, unnested } from '../../core/database/expressions.js';
import type { Aliased } from '../../core/database/tables.js';
import { NotFound } from '../../core/values/errors.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { ArchiveImport } from '../archive-imports/archive-import.entity.js';
import { FAILURES_LISTED } from '../archive-imports/failures.js';
import type { ImportFailure } from '../archive-imports/failures.js';
import { tables } from '../archive-imports/restoring.js';
import type { ArchivesDatabase } from '../archives.entities.js';
import { instantJson } from '../contents/json-values.js';

/** How far the import of a group is. */
export interface GroupImportRecord extends ArchiveImport {
  groups: { total: number; imported: number; skipped: number };
  relations: { relation: string; total: number; imported: number; skipped: number }[];
  failures_count: number;
  /** The first of them. */
  failures: ImportFailure[];
}

/*
 * Fields of the status of import `i`, as expressions.
 */

const i = expressionBuilder<Aliased<ArchivesDatabase, { i: 'archive_imports' }>, 'i'>();

/** How far its relations are, by their names. */
const importedRelations = jsonArrayFrom(
  i
    .selectFrom('archive_import_relations as p')
    .select(['p.relation', 'p.total', 'p.imported', 'p.skipped'])
    .whereRef('p.import_id', '=', 'i.id')
    .orderBy('p.relation'),
);

/** Number of failures stored for it. */
const failuresCount = i
  .selectFrom('archive_import_failures as f')
  .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'))
  .whereRef('f.import_id', '=', 'i.id')
  .$asScalar()
  .$notNull();

/** The first of them, without columns. */
const firstFailures = i
  .selectFrom('archive_import_failures as f')
  .whereRef('f.import_id', '=', 'i.id')
  .orderBy('f.id')
  .limit(FAILURES_LISTED);

/** The newest import of a group. @throws NotFound for a group that no archive was sent for */
export async function newestGroupImport(ctx: Context, groupId: number): Promise<GroupImportRecord> {
  const found = await tables({ ctx })
    .selectFrom('archive_imports as i')
    .select(columns(ArchiveImport, 'i'))
    .select((eb) => [
      eb
        .selectFrom('archive_import_groups as g')
        .select(({ fn }) =>
          jsonBuildObject({
            total: fn.countAll<number>(),
            imported: fn.countAll<number>().filterWhere('g.status', '=', constant('done')),
            skipped: fn.countAll<number>().filterWhere('g.status', '=', constant('skipped')),
          }).as('groups'),
        )
        .whereRef('g.import_id', '=', 'i.id')
        .$asScalar()
        .$notNull()
        .as('groups'),
      importedRelations.as('relations'),
      failuresCount.as('failures_count'),
      jsonArrayFrom(firstFailures.select(['f.file', 'f.line', 'f.relation', 'f.reason'])).as('failures'),
    ])
    .where('i.namespace_id', '=', groupId)
    .where('i.project_id', 'is', null)
    .orderBy('i.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!found) throw new NotFound('Import');
  return found;
}

/** The newest import of a project. @throws NotFound for a project that no archive was sent for */
export async function newestProjectImportId(ctx: Context, projectId: number): Promise<number> {
  const found = await tables({ ctx })
    .selectFrom('archive_imports as i')
    .select('i.id')
    .where('i.project_id', '=', projectId)
    .orderBy('i.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!found) throw new NotFound('Import');
  return found.id;
}

/** An item of an archive that was not imported. */
interface StoredFailure {
  id: number;
  created_at: string;
  file: string | null;
  line: number | null;
  relation: string | null;
  reason: string;
}

/** How far the import of an archive is. */
interface ProjectImportProgress {
  phase: string;
  relations: { relation: string; total: number; imported: number; skipped: number }[];
  failures_count: number;
  /** The first of them. */
  failures: StoredFailure[];
}

/** The newest import of an archive of each project; nothing for one that no archive was sent for. */
export const projectImportProgress = load(
  (project: Readonly<ProjectRecord>) => project.id,
  async (ctx, projects): Promise<Map<number, ProjectImportProgress>> => {
    const ids = projects.map(({ id }) => id);
    const rows = await tables({ ctx })
      .selectFrom(unnested(ids, 'bigint').as('u'))
      .innerJoinLateral(
        (eb) =>
          eb
            .selectFrom('archive_imports as a')
            .select(['a.id', 'a.project_id', 'a.phase'])
            .whereRef('a.project_id', '=', 'u.value')
            .orderBy('a.id', 'desc')
            .limit(1)
            .as('i'),
        (join) => join.onTrue(),
      )
      .select([
        'u.value as project_id',
        'i.phase',
        importedRelations.as('relations'),
        failuresCount.as('failures_count'),
        jsonArrayFrom(
          firstFailures
            .select(['f.id', 'f.file', 'f.line', 'f.relation', 'f.reason'])
            .select(instantJson(sql.ref<Date>('f.created_at')).as('created_at')),
        ).as('failures'),
      ])
      .execute();
    return new Map(rows.map(({ project_id: id, ...progress }) => [id, progress]));
  },
);
