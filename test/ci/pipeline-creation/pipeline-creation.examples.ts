import type { AreaExamples } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';
import { WORK } from '../../core/sandbox.js';

/** A pipeline with a configuration, on a branch of its own. */
async function createConfigured(sandbox: Sandbox): Promise<number> {
  const path = `/projects/${sandbox.project.id}`;
  const branch = `configured-${sandbox.unique()}`;
  const actions = [{ action: 'create', file_path: '.gitlab-ci.yml', content: 'job: {script: x}\n' }];
  const commit = { branch, start_branch: WORK, commit_message: '[skip ci] Configuration', actions };
  await sandbox.post(`${path}/repository/commits`, commit);
  return (await sandbox.post(`${path}/pipeline`, { ref: branch })).id;
}

/** The first job of such a pipeline. */
async function createConfiguredJob(sandbox: Sandbox): Promise<number> {
  const pipelineId = await createConfigured(sandbox);
  const path = `/projects/${sandbox.project.id}/pipelines/${pipelineId}/jobs`;
  return ((await sandbox.app.as(sandbox.people.author).get(path)).body as { id: number }[])[0]!.id;
}

export default {
  requests: {
    'GET /projects/:id/pipelines/:pipeline_id/explain': { unused: createConfigured },
    'GET /projects/:id/jobs/:job_id/explain': { unused: createConfiguredJob },
  },
} satisfies AreaExamples;
