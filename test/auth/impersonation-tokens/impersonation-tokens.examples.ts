import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/users/:user_id/impersonation_tokens/:impersonation_token_id': async ({ app, people }, { user_id: id }) => {
      const { body } = await app
        .as(people.admin)
        .post(`/users/${id}/impersonation_tokens`, { name: 'Example', scopes: ['api'] });
      return (body as { id: number }).id;
    },
  },
} satisfies AreaExamples;
