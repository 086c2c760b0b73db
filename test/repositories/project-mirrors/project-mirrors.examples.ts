import type { AreaExamples, RequestExample } from '../../core/area-examples.js';

/** The project follows a repository elsewhere; the walk's jobs wait, so that nobody asks there. */
const ready: RequestExample['ready'] = ({ app, people }, { id }) =>
  app.as(people.author).put(`/projects/${id}`, { mirror: true, import_url: 'https://example.com/followed.git' });

export default {
  requests: {
    'GET /projects/:id/mirror/pull': { ready },
    'PUT /projects/:id/mirror/pull': {
      ready,
      params: { only_mirror_protected_branches: () => true },
      edit: { only_mirror_protected_branches: true },
    },
    'POST /projects/:id/mirror/pull': {
      ready,
      notAudited: 'brings in what the upstream has now; that it is followed is in the log',
    },
  },
} satisfies AreaExamples;
