import type { Context } from '../../core/context.js';
import { out, shape } from '../../core/shape.js';
import { projectPolicy } from '../../tenancy/projects/project.policy.js';
import type { ProjectRecord } from '../../tenancy/projects/project.record.js';

const mayKnowWhy = (project: ProjectRecord, ctx: Context) => projectPolicy.admin_project(ctx.caller, project);

/** How far a project is that is brought in (group-export-import.md section 7). */
export const projectImportShape = shape<ProjectRecord>('ProjectImportStatus', {
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
  failed_relations: out.any(() => [], { type: 'array', items: { type: 'object', additionalProperties: true } }),
  stats: out.any(() => null, { type: ['object', 'null'], additionalProperties: true }),
});
