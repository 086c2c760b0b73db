import { boolean, optional, text } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { likeLiteral } from '../../core/database/expressions.js';
import { onTopics, withoutProjects } from './topic-counts.js';
import { allTopics, organizationParam, requireOrganization, topic } from './topic.finder.js';

/** List topics, those of most projects first. Anybody may. */
export const listTopics = operation({
  name: 'listTopics',
  summary: 'List topics',
  subject: instance,
  gate: 'open',
  kind: 'read',
  statements: 4,
  params: {
    search: optional(text()).describe('Part of the name.'),
    without_projects: optional(boolean()).describe('Only topics that no project has.'),
    ...organizationParam,
  },
  run(ctx, _instance, input) {
    requireOrganization(input);
    const where = [];
    if (input.search) where.push(onTopics('t.name', 'ilike', `%${likeLiteral(input.search)}%`));
    if (input.without_projects) where.push(withoutProjects(ctx));
    return Promise.resolve(allTopics(ctx, where));
  },
});

/** Read a topic. Anybody may. */
export const getTopic = operation({
  name: 'getTopic',
  summary: 'Read a topic',
  subject: topic,
  gate: 'open',
  kind: 'read',
  statements: 3,
  run: (_ctx, found) => Promise.resolve(found),
});
