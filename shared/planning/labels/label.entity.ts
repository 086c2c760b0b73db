import { defineEntity, id, timestamp, p, relation } from '../../core/database/entity.js';
import type { InferEntity } from '../../core/database/entity.js';
import { Namespace } from '../../tenancy/namespaces/namespace.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** A label of a project, or of a group and all projects below it. */
export const Label = defineEntity({
  name: 'Label',
  tableName: 'labels',
  properties: {
    id: id(),
    /** The owner: exactly one of the two is set. */
    project_id: relation(Project).nullable(),
    namespace_id: relation(Namespace).nullable(),
    title: p.string(),
    /** `#rrggbb`. */
    color: p.string(),
    description: p.string().nullable(),
    archived: p.boolean(),
    created_at: timestamp(),
    updated_at: timestamp(),
  },
});
export type Label = InferEntity<typeof Label>;

/** The priority of a label in a project, 0 the highest. */
export const LabelPriority = defineEntity({
  name: 'LabelPriority',
  tableName: 'label_priorities',
  properties: {
    project_id: relation(Project).primary(),
    label_id: relation(Label).primary(),
    priority: p.integer(),
  },
});

/** A user who is notified when the label is added to a record. */
export const LabelSubscription = defineEntity({
  name: 'LabelSubscription',
  tableName: 'label_subscriptions',
  properties: {
    label_id: relation(Label).primary(),
    user_id: relation(User).primary(),
  },
});

/** A label as a caller finds it in a project or group. */
export interface LabelRecord extends Label {
  /** Its priority in the requested project: 0 is the highest; null for none, and in groups. */
  priority: number | null;
  /** Whether the caller is notified when the label is added to a record. */
  subscribed: boolean;
}
