import { pictureOf } from '../../instance/avatars/avatars.js';
import { operation } from '../../core/operation.js';
import { project } from './project.finder.js';

/** Download a project's picture: whoever may read the project. */
export const downloadProjectAvatar = operation({
  name: 'downloadProjectAvatar',
  summary: 'Download the picture of a project',
  subject: project,
  gate: 'open',
  kind: 'read',
  statements: 3,
  run: (ctx, found) => pictureOf(ctx, { kind: 'project', id: found.id }, found.avatar),
});
