import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import type { Context } from '../../core/context/context.js';
import { out, shape } from '../../core/operations/shape.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';
import { load } from '../../core/context/loads.js';
import { unnested } from '../../core/database/expressions.js';
import { failuresCount, firstFailures, importedRelations } from './import-progress.js';
import { tables } from '../archive-imports/restoring.js';
import { instantJson } from '../contents/json-values.js';

/** Something of an archive that was not taken over. */
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
const projectImportProgress = load(
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

const mayKnowWhy = (project: ProjectRecord, ctx: Context) => projectPolicy.admin_project(ctx.caller, project);

/** What Maintainers are told of the import of an archive; nothing of other imports. */
const progressOf = (project: ProjectRecord, ctx: Context) =>
  mayKnowWhy(project, ctx) ? projectImportProgress.of(project, ctx) : undefined;

/** Failures as the public API tells them: `source` is the file of the archive. */
const failedRelations = (project: ProjectRecord, ctx: Context) =>
  (progressOf(project, ctx)?.failures ?? []).map(({ id, created_at, file, line, relation, reason }) => ({
    id,
    created_at,
    exception_class: 'ImportFailure',
    exception_message: reason,
    source: file,
    relation_name: relation,
    line_number: line,
  }));

/** Objects by relation, those of the archive and those that were restored; null where there is no archive. */
function statsOf(project: ProjectRecord, ctx: Context) {
  const progress = progressOf(project, ctx);
  if (!progress) return null;
  const counted = (key: 'total' | 'imported') =>
    Object.fromEntries(progress.relations.map((one) => [one.relation, one[key]]));
  return { fetched: counted('total'), imported: counted('imported') };
}

const nullable = (type: string) => ({ type: [type, 'null'] });
const count = { type: 'integer' };

const FAILURES = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      id: count,
      created_at: { type: 'string', format: 'date-time' },
      exception_class: { type: 'string' },
      exception_message: { type: 'string' },
      source: nullable('string'),
      relation_name: nullable('string'),
      line_number: nullable('integer'),
    },
  },
};
const RELATIONS = {
  type: 'array',
  items: {
    type: 'object',
    required: ['relation', 'total', 'imported', 'skipped'],
    properties: { relation: { type: 'string' }, total: count, imported: count, skipped: count },
  },
};

/** How far a project is that is brought in (group-export-import.md section 7). */
export const projectImportShape = shape<ProjectRecord>(
  'ProjectImportStatus',
  {
    id: out.integer((one) => one.id),
    description: out.nullableText((one) => one.description),
    name: out.text((one) => one.name),
    name_with_namespace: out.text((one) => one.full_name),
    path: out.text((one) => one.path),
    path_with_namespace: out.text((one) => one.full_path),
    created_at: out.instant((one) => one.created_at),
    import_status: out.text((one) => one.import_status, {
      enum: ['none', 'scheduled', 'started', 'finished', 'failed'],
    }),
    import_type: out.nullableText((one) => one.import_type),
    correlation_id: out.nullableText(() => null, { description: 'Always null: jobs tell theirs.' }),
    // Where it comes from may be a secret, as in the record of the project.
    import_error: out.nullableText((one, ctx) => (mayKnowWhy(one, ctx) ? one.import_error : null)),
    failed_relations: out.any(failedRelations, FAILURES, {
      description: 'The first thousand lines that were left out, or of which something is missing.',
    }),
    stats: out.any(statsOf, { type: ['object', 'null'], additionalProperties: true }),
    phase: out.nullableText((one, ctx) => progressOf(one, ctx)?.phase ?? null, {
      enum: ['waiting', 'reading', 'restoring', 'done', null],
    }),
    relations: out.any((one, ctx) => progressOf(one, ctx)?.relations ?? [], RELATIONS),
    failures_count: out.integer((one, ctx) => progressOf(one, ctx)?.failures_count ?? 0),
  },
  { loads: [projectImportProgress] },
);
