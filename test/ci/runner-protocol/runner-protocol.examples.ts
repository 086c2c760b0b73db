import type { AreaExamples } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';
import { handOutJob, protocolSteps } from './protocol-steps.js';

const JOB = '/jobs/:job_id';
const tokens = new Map<number, string>();

/** A runner that gets jobs with a tag of its own alone, and such a job. */
async function queueJob({ app, project, people, unique }: Sandbox) {
  const steps = protocolSteps(app);
  const tag = `example-${unique()}`;
  const runner = await steps.createRunner({ tag_list: [tag], run_untagged: false });
  const job = await steps.createJob({ id: project.id, owner: people.author }, { definition: { tags: [tag] } });
  return { runner, job };
}

async function runJob(sandbox: Sandbox): Promise<number> {
  const { runner, job } = await queueJob(sandbox);
  tokens.set(job.id, (await handOutJob(sandbox.app, runner)).token);
  return job.id;
}

/** The token of the job that the path names. */
const getToken = async (sandbox: Sandbox) => tokens.get(Number(await sandbox.keep(JOB, () => runJob(sandbox))));

export default {
  records: { [JOB]: runJob },
  requests: {
    'POST /jobs/request': {
      params: { token: async (sandbox) => (await queueJob(sandbox)).runner.token },
      ownForm: 'A runner decodes it by types of its own.',
    },
    'PUT /jobs/:job_id': {
      params: { token: getToken, state: () => 'running' },
      ownForm: 'Runners read the status and the headers.',
    },
    'GET /job': { params: { job_token: getToken } },
  },
} satisfies AreaExamples;
