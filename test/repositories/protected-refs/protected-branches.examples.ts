import { sql } from 'kysely';
import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/projects/:id/protected_branches/:name': async (world) =>
      (await world.post(`/projects/${world.project.id}/protected_branches`, { name: `kept-${world.unique()}` })).name,
  },
  requests: {
    'PATCH /projects/:id/protected_branches/:name': { edit: { allow_force_push: true } },
  },
  graphql: {
    // A rule's entry names a user or a group, never both.
    fill: ({ app, admin, above, project, index }) =>
      app.context().query(sql`
        update protected_branch_access_levels
           set access_level = null, user_id = ${index % 2 === 0 ? admin.id : null},
               group_id = ${index % 2 === 1 ? above.id : null}
         where project_id = ${project.id}`),
    ofSome: ['Merge', 'Push'].flatMap((of) => [`${of}AccessLevel.user`, `${of}AccessLevel.group`]),
  },
} satisfies AreaExamples;
