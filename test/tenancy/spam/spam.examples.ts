import { sql } from 'kysely';
import type { AreaExamples } from '../../core/area-examples.js';
import type { World } from '../../core/world.js';
import { queryOne } from '../../core/query-one.js';

/** An entry as a refused text leaves it. */
async function entry({ app, people }: World): Promise<number> {
  const now = app.clock.now();
  const row = await queryOne<{ id: number }>(
    app.context(),
    sql`
    insert into spam_logs (user_id, noteable_type, title, text, source_ip, user_agent, referer, verdict, challenged,
                           created_at, updated_at)
    values (${people.author.id}, 'Issue', 'Cheap', 'Buy', '192.0.2.1', 'test', '', 'disallow', false, ${now}, ${now})
    returning id as "id"`,
  );
  return row!.id;
}

export default {
  records: {
    '/admin/spam_logs/:id': entry,
  },
} satisfies AreaExamples;
