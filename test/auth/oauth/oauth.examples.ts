import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/applications/:id': async ({ app, people, unique }) => {
      const { body } = await app.as(people.admin).post('/applications', {
        name: `Application ${unique()}`,
        redirect_uri: 'https://client.example/callback',
        scopes: 'api',
      });
      return (body as { id: number }).id;
    },
  },
  requests: {
    'POST /applications': {
      params: { redirect_uri: () => 'https://client.example/callback', scopes: () => 'api read_user' },
    },
  },
} satisfies AreaExamples;
