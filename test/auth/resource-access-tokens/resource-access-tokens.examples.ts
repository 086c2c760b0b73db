import type { AreaExamples, RecordExample } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

const getToken =
  (container: 'projects' | 'groups'): RecordExample =>
  async (sandbox, { id }) =>
    (await sandbox.post(`/${container}/${id}/access_tokens`, { name: 'Example', scopes: ['api'] })).id;

/** The bot of a new access token, with that token. */
const getBot = (container: 'projects' | 'groups') => async (sandbox: Sandbox) => {
  const id = container === 'projects' ? sandbox.project.id : (await sandbox.group()).id;
  const response = await sandbox.app
    .as(sandbox.people.author)
    .post(`/${container}/${id}/access_tokens`, { name: 'Example', scopes: ['api'] });
  const { user_id, token, id: token_id } = response.body as { user_id: number; token: string; id: number };
  return { ...sandbox.people.stranger, id: user_id, bot: true, token, token_id };
};

export default {
  records: {
    '/groups/:id/access_tokens/:token_id': getToken('groups'),
    '/projects/:id/access_tokens/:token_id': getToken('projects'),
  },
  requests: {
    'POST /groups/:id/access_tokens/self/rotate': { caller: getBot('groups') },
    'POST /projects/:id/access_tokens/self/rotate': { caller: getBot('projects') },
  },
} satisfies AreaExamples;
