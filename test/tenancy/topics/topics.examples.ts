import { sql } from 'kysely';
import type { AreaExamples } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

const why = 'words that projects are found by, on which no right depends';

async function topicId({ app, people, unique }: Sandbox): Promise<number> {
  const name = `topic-${unique()}`;
  const { body } = await app.as(people.admin).post('/topics', { name, title: name });
  return (body as { id: number }).id;
}

export default {
  records: {
    '/topics/:id': (sandbox) => topicId(sandbox),
  },
  requests: {
    'POST /topics': { notAudited: why },
    'PUT /topics/:id': { params: { title: () => 'Renamed' }, notAudited: why },
    'DELETE /topics/:id': { notAudited: why },
    'POST /topics/merge': { params: { source_topic_id: topicId, target_topic_id: topicId }, notAudited: why },
  },
  graphql: {
    fill: async ({ app, project }) => {
      const ctx = app.context();
      const now = app.clock.now();
      await ctx.query(sql`
        insert into topics (name, title, created_at, updated_at) values ('rockets', 'Rockets', ${now}, ${now})
        on conflict do nothing`);
      await ctx.query(sql`
        insert into project_topics (project_id, topic_id)
        select ${project.id}, t.id from topics t where t.name = 'rockets'`);
    },
  },
} satisfies AreaExamples;
