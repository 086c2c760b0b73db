import type { AreaExamples, RecordExample } from '../../core/area-examples.js';

const tokenOf =
  (container: 'projects' | 'groups'): RecordExample =>
  async (world, { id }) =>
    (await world.post(`/${container}/${id}/deploy_tokens`, { name: 'Example', scopes: ['read_repository'] })).id;

export default {
  records: {
    '/groups/:id/deploy_tokens/:token_id': tokenOf('groups'),
    '/projects/:id/deploy_tokens/:token_id': tokenOf('projects'),
  },
} satisfies AreaExamples;
