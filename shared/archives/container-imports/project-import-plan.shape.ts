import { out, shape } from '../../core/operations/shape.js';
import type { ProjectImportPlan } from './plan-project-import.js';

const count = { type: 'integer' };
const nullable = (type: string) => ({ type: [type, 'null'] });
const listOf = (properties: Record<string, object>) => ({
  type: 'array',
  items: { type: 'object', required: Object.keys(properties), properties },
});

/** What the import of a project would do (`dry_run`). */
export const projectImportPlanShape = shape<ProjectImportPlan>('ProjectImportPlan', {
  name: out.text((plan) => plan.name),
  full_path: out.text((plan) => plan.full_path),
  visibility: out.text((plan) => plan.visibility, { enum: ['private', 'internal', 'public'] }),
  replaces: out.nullableText((plan) => plan.replaces, {
    description: 'Full path of the project that would be marked for deletion.',
  }),
  repository: out.boolean((plan) => plan.repository),
  relations: out.any((plan) => plan.relations, listOf({ relation: { type: 'string' }, total: count, skipped: count })),
  users: out.any((plan) => plan.users, {
    type: 'object',
    required: ['mapped', 'mapped_count', 'unmapped_count'],
    properties: { mapped: listOf({ username: { type: 'string' } }), mapped_count: count, unmapped_count: count },
  }),
  failures_count: out.integer((plan) => plan.failures_count),
  failures: out.any(
    (plan) => plan.failures,
    listOf({
      file: nullable('string'),
      line: nullable('integer'),
      relation: nullable('string'),
      reason: { type: 'string' },
    }),
  ),
});
