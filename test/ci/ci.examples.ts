import type { AreaExamples } from '../core/area-examples.js';
import { WORK } from '../core/world.js';

const commitStatuses = {
  records: {
    '/projects/:id/statuses/:sha': (world) => world.sha(),
  },
  requests: {
    'POST /projects/:id/statuses/:sha': { params: { ref: () => WORK } },
  },
} satisfies AreaExamples;

const jobs = {
  records: {
    '/projects/:id/jobs/:job_id': async (world) => {
      const report = { state: 'success', ref: WORK, name: `job ${world.unique()}` };
      return (await world.post(`/projects/${world.project.id}/statuses/${await world.sha()}`, report)).id;
    },
  },
} satisfies AreaExamples;

export default [commitStatuses, jobs] satisfies AreaExamples[];
