import { defineEntity, p, reference } from '../../core/database/entity.js';

/** A label of an epic. */
export const EpicLabel = defineEntity({
  name: 'EpicLabel',
  tableName: 'epic_labels',
  properties: {
    namespace_id: reference(),
    epic_id: reference().primary(),
    label_id: reference().primary(),
  },
});

/** Whether a user asked to be notified of an epic, or not to be. */
export const EpicSubscription = defineEntity({
  name: 'EpicSubscription',
  tableName: 'epic_subscriptions',
  properties: {
    namespace_id: reference(),
    epic_id: reference().primary(),
    user_id: reference().primary(),
    subscribed: p.boolean(),
  },
});
