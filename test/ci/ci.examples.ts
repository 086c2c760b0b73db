import type { AreaExamples } from '../core/area-examples.js';
import { WORK } from '../core/sandbox.js';

const commitStatuses = {
  records: {
    '/projects/:id/statuses/:sha': (sandbox) => sandbox.sha(),
  },
  requests: {
    'POST /projects/:id/statuses/:sha': { params: { ref: () => WORK } },
  },
} satisfies AreaExamples;

const jobs = {
  records: {
    '/projects/:id/jobs/:job_id': async (sandbox) => {
      const report = { state: 'success', ref: WORK, name: `job ${sandbox.unique()}` };
      return (await sandbox.post(`/projects/${sandbox.project.id}/statuses/${await sandbox.sha()}`, report)).id;
    },
  },
} satisfies AreaExamples;

export default [commitStatuses, jobs] satisfies AreaExamples[];
