import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';

/** A span of time of a project, or of a group and all projects below it, that issues are planned for. */
export const Milestone = defineEntity({
  name: 'Milestone',
  tableName: 'milestones',
  properties: {
    id: id(),
    /** The owner: exactly one of the two is set. */
    project_id: relation(Project).nullable(),
    namespace_id: relation(Namespace).nullable(),
    iid: p.integer(),
    title: p.string(),
    description: p.string().nullable(),
    /** `active` or `closed`. */
    state: p.string(),
    start_date: p.date().nullable(),
    due_date: p.date().nullable(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Milestone = InferEntity<typeof Milestone>;

/** A milestone as a caller finds it. */
export interface MilestoneRecord extends Milestone {
  /** Of its project or group. */
  full_path: string;
}
