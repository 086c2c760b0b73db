import type { AreaExamples } from '../../core/area-examples.js';
import { WORK } from '../../core/world.js';

export default {
  records: {
    '/projects/:id/jobs/:job_id': async (world) => {
      const report = { state: 'success', ref: WORK, name: `job ${world.unique()}` };
      return (await world.post(`/projects/${world.project.id}/statuses/${await world.sha()}`, report)).id;
    },
  },
} satisfies AreaExamples;
