import { sql } from 'kysely';
import type { AreaExamples } from '../../core/area-examples.js';
import { WALKED_ROLES } from '../../core/world.js';

export default {
  requests: {
    'POST /projects/:id/unstar': {
      ready: async ({ app, people }, { id }) => {
        for (const user of [...WALKED_ROLES.map((role) => people[role]), people.admin])
          await app.as(user).post(`/projects/${id}/star`);
      },
    },
  },
  graphql: {
    fill: ({ app, user, project }) =>
      app.context().query(sql`
        insert into project_stars (project_id, user_id, created_at)
        values (${project.id}, ${user.id}, ${app.clock.now()})`),
  },
} satisfies AreaExamples;
