import type { AreaExamples, RecordExample } from '../core/area-examples.js';
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

const createVariable =
  (container: 'projects' | 'groups'): RecordExample =>
  async (sandbox, { id }) =>
    (await sandbox.post(`/${container}/${id}/variables`, { key: `KEY_${sandbox.unique()}`, value: 'v' })).key;

const ciVariables = {
  records: {
    '/projects/:id/variables/:key': createVariable('projects'),
    '/groups/:id/variables/:key': createVariable('groups'),
    '/admin/ci/variables/:key': async ({ app, people, unique }) => {
      const variable = { key: `KEY_${unique()}`, value: 'v' };
      return ((await app.as(people.admin).post('/admin/ci/variables', variable)).body as { key: string }).key;
    },
  },
  requests: {
    'PUT /projects/:id/variables/:key': { edit: { value: 'edited' } },
    'PUT /groups/:id/variables/:key': { edit: { value: 'edited' } },
    'PUT /admin/ci/variables/:key': { edit: { value: 'edited' } },
  },
} satisfies AreaExamples;

export default [ciVariables, commitStatuses, jobs] satisfies AreaExamples[];
