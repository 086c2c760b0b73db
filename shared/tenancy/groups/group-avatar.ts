import { pictureOf } from '../../instance/avatars/avatars.js';
import { operation } from '../../core/operation.js';
import { group } from './group.finder.js';

/** Download a group's picture: whoever may read the group. */
export const downloadGroupAvatar = operation({
  name: 'downloadGroupAvatar',
  summary: 'Download the picture of a group',
  subject: group,
  gate: 'open',
  kind: 'read',
  statements: 3,
  run: (ctx, found) => pictureOf(ctx, { kind: 'group', id: found.id }, found.avatar),
});
