import type { AreaExamples, RecordExample } from '../core/area-examples.js';

const getToken =
  (container: 'projects' | 'groups'): RecordExample =>
  async (sandbox, { id }) =>
    (await sandbox.post(`/${container}/${id}/deploy_tokens`, { name: 'Example', scopes: ['read_repository'] })).id;

const deployTokens = {
  needs: [{ path: /^\/deploy_tokens$/, offerings: ['self-managed', 'dedicated'] }],
  records: {
    '/groups/:id/deploy_tokens/:token_id': getToken('groups'),
    '/projects/:id/deploy_tokens/:token_id': getToken('projects'),
  },
} satisfies AreaExamples;

const impersonationTokens = {
  records: {
    '/users/:user_id/impersonation_tokens/:impersonation_token_id': async ({ app, people }, { user_id: id }) => {
      const { body } = await app
        .as(people.admin)
        .post(`/users/${id}/impersonation_tokens`, { name: 'Example', scopes: ['api'] });
      return (body as { id: number }).id;
    },
  },
} satisfies AreaExamples;

const oauth = {
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

const personalAccessTokens = {
  records: {
    '/personal_access_tokens/:id': async (sandbox) => (await sandbox.user()).token_id,
  },
  requests: {
    'DELETE /personal_access_tokens/self': { caller: (sandbox) => sandbox.user() },
    'POST /personal_access_tokens/self/rotate': { caller: (sandbox) => sandbox.user() },
  },
} satisfies AreaExamples;

export default [deployTokens, impersonationTokens, oauth, personalAccessTokens] satisfies AreaExamples[];
