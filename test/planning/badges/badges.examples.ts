import type { AreaExamples, RecordExample } from '../../core/area-examples.js';

const getBadge =
  (kind: 'projects' | 'groups'): RecordExample =>
  async (sandbox, { id }) =>
    (
      await sandbox.post(`/${kind}/${id}/badges`, {
        link_url: 'https://example.com',
        image_url: 'https://example.com/i',
      })
    ).id;

const change = { params: { name: () => 'Coverage' }, edit: { name: 'Coverage' } };

const urls = {
  params: { link_url: () => 'https://example.com', image_url: () => 'https://example.com/i' },
};

export default {
  records: {
    '/projects/:id/badges/:badge_id': getBadge('projects'),
    '/groups/:id/badges/:badge_id': getBadge('groups'),
  },
  requests: {
    'POST /projects/:id/badges': urls,
    'POST /groups/:id/badges': urls,
    'GET /projects/:id/badges/render': urls,
    'GET /groups/:id/badges/render': urls,
    'PUT /projects/:id/badges/:badge_id': change,
    'PUT /groups/:id/badges/:badge_id': change,
  },
} satisfies AreaExamples;
