import type { Context } from '../../core/context/context.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.entity.js';
import { projectImportProgress } from './import.finder.js';
import type { GroupImportRecord } from './import.finder.js';
import type { ProjectImportPlan } from './plan-container-import.js';

const STRING = { type: 'string' };
const COUNT = { type: 'integer' };
const nullable = (type: string) => ({ type: [type, 'null'] });

/** @param required names of properties; all by default */
const getObject = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  required,
  properties,
});
const getList = (...object: Parameters<typeof getObject>) => ({ type: 'array', items: getObject(...object) });

const COUNTS = { total: COUNT, imported: COUNT, skipped: COUNT };
const RELATIONS = getList({ relation: STRING, ...COUNTS });
const FAILURE = { file: nullable('string'), line: nullable('integer'), relation: nullable('string'), reason: STRING };

/** How far the import of a group is. */
export const groupImportSerializer = serializer<GroupImportRecord>('GroupImport', {
  id: out.integer((one) => one.id),
  status: out.text((one) => one.status, { enum: ['created', 'started', 'finished', 'failed'] }),
  phase: out.text((one) => one.phase, { enum: ['waiting', 'reading', 'restoring', 'done'] }),
  last_error: out.nullableText((one) => one.last_error),
  created_at: out.instant((one) => one.created_at),
  started_at: out.nullableInstant((one) => one.started_at),
  finished_at: out.nullableInstant((one) => one.finished_at),
  groups: out.any((one) => one.groups, getObject(COUNTS)),
  relations: out.any((one) => one.relations, RELATIONS),
  failures_count: out.integer((one) => one.failures_count),
  failures: out.any((one) => one.failures, getList(FAILURE, ['reason'])),
});

const mayKnowWhy = (project: ProjectRecord, ctx: Context) => projectPolicy.admin_project(ctx.caller, project);

/** What Maintainers see of the import of an archive; nothing of other imports. */
const getProgress = (project: ProjectRecord, ctx: Context) =>
  mayKnowWhy(project, ctx) ? projectImportProgress.of(project, ctx) : undefined;

/** Failures as the public API shows them: `source` is the file of the archive. */
const failedRelations = (project: ProjectRecord, ctx: Context) =>
  (getProgress(project, ctx)?.failures ?? []).map(({ id, created_at, file, line, relation, reason }) => ({
    id,
    created_at,
    exception_class: 'ImportFailure',
    exception_message: reason,
    source: file,
    relation_name: relation,
    line_number: line,
  }));

/** Object counts by relation, in the archive and restored; null if there is no archive. */
function getStats(project: ProjectRecord, ctx: Context) {
  const progress = getProgress(project, ctx);
  if (!progress) return null;
  const counted = (key: 'total' | 'imported') =>
    Object.fromEntries(progress.relations.map((one) => [one.relation, one[key]]));
  return { fetched: counted('total'), imported: counted('imported') };
}

const FAILED_RELATIONS = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      id: COUNT,
      created_at: { type: 'string', format: 'date-time' },
      exception_class: STRING,
      exception_message: STRING,
      source: nullable('string'),
      relation_name: nullable('string'),
      line_number: nullable('integer'),
    },
  },
};

/** How far a project is that is imported (group-export-import.md section 7). */
export const projectImportSerializer = serializer<ProjectRecord>(
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
    correlation_id: out.nullableText(() => null, {
      description: 'Always null. Jobs have a correlation ID of their own.',
    }),
    // The error may reveal the import source, which may be secret, as in the project record.
    import_error: out.nullableText((one, ctx) => (mayKnowWhy(one, ctx) ? one.import_error : null)),
    failed_relations: out.any(failedRelations, FAILED_RELATIONS, {
      description: 'First 1,000 lines that were skipped or imported incompletely.',
    }),
    stats: out.any(getStats, { type: ['object', 'null'], additionalProperties: true }),
    phase: out.nullableText((one, ctx) => getProgress(one, ctx)?.phase ?? null, {
      enum: ['waiting', 'reading', 'restoring', 'done', null],
    }),
    relations: out.any((one, ctx) => getProgress(one, ctx)?.relations ?? [], RELATIONS),
    failures_count: out.integer((one, ctx) => getProgress(one, ctx)?.failures_count ?? 0),
  },
  { loads: [projectImportProgress] },
);

/** What the import of a project would do (`dry_run`). */
export const projectImportPlanSerializer = serializer<ProjectImportPlan>('ProjectImportPlan', {
  name: out.text((plan) => plan.name),
  full_path: out.text((plan) => plan.full_path),
  visibility: out.text((plan) => plan.visibility, { enum: ['private', 'internal', 'public'] }),
  replaces: out.nullableText((plan) => plan.replaces, {
    description: 'Full path of the project that would be marked for deletion.',
  }),
  repository: out.boolean((plan) => plan.repository),
  relations: out.any((plan) => plan.relations, getList({ relation: STRING, total: COUNT, skipped: COUNT })),
  users: out.any(
    (plan) => plan.users,
    getObject({ mapped: getList({ username: STRING }), mapped_count: COUNT, unmapped_count: COUNT }),
  ),
  failures_count: out.integer((plan) => plan.failures_count),
  failures: out.any((plan) => plan.failures, getList(FAILURE)),
});
