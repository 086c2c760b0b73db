import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/projects/:id/repository/branches/:branch': async (world) => {
      const made = { branch: `b-${world.unique()}`, ref: 'main' };
      return (await world.post(`/projects/${world.project.id}/repository/branches`, made)).name;
    },
    '/projects/:id/repository/tags/:tag_name': async (world) => {
      const made = { tag_name: `v${world.unique()}`, ref: 'main' };
      return (await world.post(`/projects/${world.project.id}/repository/tags`, made)).name;
    },
  },
  requests: {
    'PUT /projects/:id/repository/branches/:branch/unprotect': {
      ready: ({ app, people }, { id, branch }) =>
        app.as(people.admin).put(`/projects/${id}/repository/branches/${encodeURIComponent(branch ?? '')}/protect`),
    },
    'POST /projects/:id/repository/branches': { params: { branch: ({ unique }) => `example-${unique()}` } },
  },
} satisfies AreaExamples;
