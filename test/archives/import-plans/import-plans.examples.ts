import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/import_plans/:plan_id': async ({ app, people }) => {
      const { rows } = await app.services.db.pool.query<{ id: number }>(
        `insert into import_plans (user_id, kind, input, status, created_at)
         values ($1, 'project', '{}', 'waiting', $2) returning id::int as id`,
        [people.author.id, app.clock.now()],
      );
      return rows[0]!.id;
    },
  },
  requests: { 'GET /import_plans/:plan_id': { caller: ({ people }) => people.author } },
} satisfies AreaExamples;
