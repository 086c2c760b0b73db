import type { AreaExamples } from '../../core/area-examples.js';
import { storeJobs } from './stored-jobs.js';

const queue = 'queue_jobs.tend';

export default {
  records: {
    '/admin/jobs/:id': async ({ app }) => (await storeJobs(app, [{ queue }]))[0] as string,
    '/admin/jobs/queues/:queue': () => queue,
  },
} satisfies AreaExamples;
