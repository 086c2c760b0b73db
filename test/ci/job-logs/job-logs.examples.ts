import type { AreaExamples } from '../../core/area-examples.js';
import { createRunningJob } from './running-job.js';

const JOB = '/projects/:id/jobs/:job_id';

export default {
  requests: {
    [`GET ${JOB}/trace`]: { ownForm: 'a stream, which holds next to nothing' },
    [`POST ${JOB}/erase`]: {
      // Another one than that of the other requests: it has a log, and is over.
      unused: async ({ app, project, people }) => {
        const job = await createRunningJob(app, { project: { ...project, owner: people.author } });
        await job.patch('0-', 'log');
        await job.end();
        return job.id;
      },
    },
  },
} satisfies AreaExamples;
