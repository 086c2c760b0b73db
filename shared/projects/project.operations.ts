import { flag, maybe } from '../core/fields.js';
import { operation } from '../core/operation.js';
import { askAttributesOf, withAttributesParam } from '../custom-attributes/custom-attribute.filters.js';
import { project } from './project.finder.js';

/** Read one project: anybody who may see it, also without signing in when it is public. */
export const getProject = operation({
  summary: 'Read a project',
  subject: project,
  gate: 'open',
  limit: 'project_read',
  kind: 'read',
  statements: 8,
  params: {
    license: maybe(flag()).describe('With the licence.'),
    statistics: maybe(flag()).describe('With statistics. Reporters and above.'),
    ...withAttributesParam,
  },
  run: (ctx, found, { license, statistics, with_custom_attributes: attributes }) => {
    const wishes = { single: true, license: license === true, statistics: statistics === true };
    return Promise.resolve(askAttributesOf(ctx, { ...found, wishes }, attributes));
  },
});
