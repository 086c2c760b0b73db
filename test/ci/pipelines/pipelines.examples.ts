import type { AreaExamples } from '../../core/area-examples.js';
import { WORK } from '../../core/world.js';

export default {
  records: {
    '/projects/:id/pipelines/:pipeline_id': async (world) =>
      (await world.post(`/projects/${world.project.id}/pipeline`, { ref: WORK })).id,
  },
  requests: {
    'GET /projects/:id/pipelines/latest': {
      ready: (world, { id }) => world.post(`/projects/${id}/pipeline`, { ref: 'main' }),
    },
    'PUT /projects/:id/pipelines/:pipeline_id/metadata': { params: { name: () => 'Renamed' } },
  },
  graphql: {
    arguments: { 'Project.pipeline': '(iid: "1")' },
  },
} satisfies AreaExamples;
