import { avatarUrl } from '../../instance/avatars/avatars.js';
import { out, shape } from '../../core/operations/shape.js';
import { topicCounts } from './topic-counts.js';
import type { Topic } from './topic.entity.js';
import { ORGANIZATION_ID } from './topic.finder.js';

export const topicShape = shape<Topic>(
  'Topic',
  {
    id: out.integer((topic) => topic.id),
    name: out.text((topic) => topic.name),
    title: out.text((topic) => topic.title),
    description: out.nullableText((topic) => topic.description),
    total_projects_count: out.integer((topic, ctx) => topicCounts.of(topic, ctx) ?? 0, {
      description: 'Projects that have it, of those that the caller may see.',
    }),
    organization_id: out.integer(() => ORGANIZATION_ID),
    avatar_url: out.nullableText((topic, ctx) => avatarUrl(ctx, { kind: 'topic', id: topic.id }, topic.avatar)),
  },
  { loads: [topicCounts] },
);
