import { defineEntity, p, relation, reference } from '../../core/database/entity.js';
import { Label } from '../labels/label.entity.js';
import { User } from '../../tenancy/users/user.entity.js';

/** A label of an epic. */
export const EpicLabel = defineEntity({
  name: 'EpicLabel',
  tableName: 'epic_labels',
  properties: {
    namespace_id: reference(),
    epic_id: reference().primary(),
    label_id: relation(Label).primary(),
  },
});

/** Whether a user subscribed to an epic or unsubscribed from it. */
export const EpicSubscription = defineEntity({
  name: 'EpicSubscription',
  tableName: 'epic_subscriptions',
  properties: {
    namespace_id: reference(),
    epic_id: reference().primary(),
    user_id: relation(User).primary(),
    subscribed: p.boolean(),
  },
});
