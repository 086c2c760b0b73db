import type { AreaExamples, RecordExample } from '../../core/area-examples.js';
import type { World } from '../../core/world.js';

const getToken =
  (container: 'projects' | 'groups'): RecordExample =>
  async (world, { id }) =>
    (await world.post(`/${container}/${id}/access_tokens`, { name: 'Example', scopes: ['api'] })).id;

/** The bot of a new access token, with that token. */
const getBot = (container: 'projects' | 'groups') => async (world: World) => {
  const id = container === 'projects' ? world.project.id : (await world.group()).id;
  const response = await world.app
    .as(world.people.author)
    .post(`/${container}/${id}/access_tokens`, { name: 'Example', scopes: ['api'] });
  const { user_id, token, id: token_id } = response.body as { user_id: number; token: string; id: number };
  return { ...world.people.stranger, id: user_id, bot: true, token, token_id };
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
