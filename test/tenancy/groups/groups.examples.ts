import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/groups/:id': async (world) => (await world.group()).id,
  },
  requests: {
    'GET /groups/:id/avatar': { ownForm: 'a picture, whose size is bounded when it is stored' },
    'PUT /groups/:id': { edit: { membership_lock: true } },
    'POST /groups/:id/restore': { ready: ({ app, people }, { id }) => app.as(people.author).delete(`/groups/${id}`) },
    'POST /groups/:id/transfer': { params: { group_id: async (world) => (await world.otherGroup()).id } },
    'POST /groups/:id/unarchive': {
      ready: ({ app, people }, { id }) => app.as(people.author).post(`/groups/${id}/archive`),
    },
  },
} satisfies AreaExamples;
