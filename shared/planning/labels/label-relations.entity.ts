import { defineEntity, p, reference } from '../../core/database/entity.js';

/** The priority of a label in a project, 0 the highest. */
export const LabelPriority = defineEntity({
  name: 'LabelPriority',
  tableName: 'label_priorities',
  properties: {
    project_id: reference().primary(),
    label_id: reference().primary(),
    priority: p.integer(),
  },
});

/** A user who is notified of what gets a label. */
export const LabelSubscription = defineEntity({
  name: 'LabelSubscription',
  tableName: 'label_subscriptions',
  properties: {
    label_id: reference().primary(),
    user_id: reference().primary(),
  },
});
