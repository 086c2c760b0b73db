import { boolean, optional, text } from '../../core/operations/fields.js';
import { instance, operation } from '../../core/operations/operation.js';
import { likeLiteral } from '../../core/database/expressions.js';
import { avatarUrl } from '../../instance/avatars/avatars.js';
import { out, serializer } from '../../core/operations/serializer.js';
import { onTopics, withoutProjects, topicCounts } from './topic-counts.js';
import { allTopics, organizationParam, requireOrganization, topic, ORGANIZATION_ID } from './topic.finder.js';
import type { Topic } from './topic.entity.js';

/** List topics, those with the most projects first. Open to all callers. */
export const listTopics = operation({
  name: 'listTopics',
  summary: 'List project topics',
  resource: instance,
  authentication: 'open',
  kind: 'read',
  statements: 4,
  params: {
    search: optional(text()).describe('Part of the name of the topic.'),
    without_projects: optional(boolean()).describe('If `true`, returns only topics that no project has.'),
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

/** Read a topic. Open to all callers. */
export const getTopic = operation({
  name: 'getTopic',
  summary: 'Read a topic',
  resource: topic,
  authentication: 'open',
  kind: 'read',
  statements: 3,
  run: (_ctx, found) => Promise.resolve(found),
});

export const topicSerializer = serializer<Topic>(
  'Topic',
  {
    id: out.integer((topic) => topic.id),
    name: out.text((topic) => topic.name),
    title: out.text((topic) => topic.title),
    description: out.nullableText((topic) => topic.description),
    total_projects_count: out.integer((topic, ctx) => topicCounts.of(topic, ctx) ?? 0, {
      description: 'Number of projects with the topic that the caller can see.',
    }),
    organization_id: out.integer(() => ORGANIZATION_ID),
    avatar_url: out.nullableText((topic, ctx) => avatarUrl(ctx, { kind: 'topic', id: topic.id }, topic.avatar)),
  },
  { loads: [topicCounts] },
);
