import { sql } from 'kysely';
import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/projects/:id/fork/:forked_from_id': async ({ app }) =>
      (await app.build.project({ visibility: 'public', empty: true })).id,
  },
  requests: {
    'DELETE /projects/:id/fork': {
      ready: async (world, { id }) => {
        const upstream = await world.app.build.project({ owner: world.people.author, empty: true });
        await world.post(`/projects/${id}/fork/${upstream.id}`, {});
      },
    },
  },
  graphql: {
    fill: ({ app, above, project }) =>
      app.context().query(sql`
        update projects set forked_from_id = (select min(id) from projects where namespace_id = ${above.id})
         where id = ${project.id}`),
  },
} satisfies AreaExamples;
