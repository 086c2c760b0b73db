import { defineEntity, p, relation } from '../../core/database/entity.js';
import { Label } from './label.entity.js';
import { Project } from '../../tenancy/projects/project.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

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

/** A user who is notified of what gets a label. */
export const LabelSubscription = defineEntity({
  name: 'LabelSubscription',
  tableName: 'label_subscriptions',
  properties: {
    label_id: relation(Label).primary(),
    user_id: relation(User).primary(),
  },
});
