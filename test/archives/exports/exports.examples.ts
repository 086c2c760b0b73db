import type { AreaExamples, RequestExample } from '../../core/area-examples.js';

const cancelled = (kind: 'groups' | 'projects'): RequestExample => ({
  ready: (world, { id }) => world.post(`/${kind}/${id}/export`, {}),
  notAudited: 'asking for an export is told; what was never read leaves nothing to tell',
  notTold: 'nothing follows from it',
});

export default {
  requests: {
    'DELETE /groups/:id/export': cancelled('groups'),
    'DELETE /projects/:id/export': cancelled('projects'),
    'GET /groups/:id/export/download': { ownForm: 'a file' },
    'GET /projects/:id/export/download': { ownForm: 'a file' },
  },
} satisfies AreaExamples;
