import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/groups/:id/projects/:project_id': ({ project }) => project.id,
    '/projects/user/:user_id': async (world) => (await world.user()).id,
  },
  requests: {
    'POST /projects': { params: { name: ({ unique }) => `Example ${unique()}` } },
    'PUT /projects/:id': { params: { description: () => 'Changed' }, edit: { request_access_enabled: false } },
    'POST /projects/:id/restore': {
      ready: ({ app, people }, { id }) => app.as(people.author).delete(`/projects/${id}`),
    },
    'PUT /projects/:id/transfer': { params: { namespace: ({ people }) => people.owner.username } },
    'POST /projects/:id/unarchive': { ready: (world, { id }) => world.post(`/projects/${id}/archive`, {}) },
  },
} satisfies AreaExamples;
