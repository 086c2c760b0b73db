import type { AreaExamples } from '../../core/area-examples.js';

export default {
  records: {
    '/projects/:id/protected_tags/:name': async (world) =>
      (await world.post(`/projects/${world.project.id}/protected_tags`, { name: `kept-${world.unique()}` })).name,
  },
} satisfies AreaExamples;
