import type { AreaExamples, RecordExample } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

interface IssuedRunner {
  id: number;
  token: string;
}

/** A new runner of the sandbox's project. */
async function createRunner(sandbox: Sandbox): Promise<IssuedRunner> {
  const attributes = { runner_type: 'project_type', project_id: sandbox.project.id };
  return (await sandbox.post('/user/runners', attributes)) as unknown as IssuedRunner;
}

const getNewRunner: RecordExample = async (sandbox) => (await createRunner(sandbox)).id;

/** A runner of another project of the same author, which can be assigned to the sandbox's. */
async function getOtherRunner({ app, people }: Sandbox): Promise<number> {
  const { id } = await app.build.project({ owner: people.author, empty: true });
  const attributes = { runner_type: 'project_type', project_id: id };
  return ((await app.as(people.author).post('/user/runners', attributes)).body as IssuedRunner).id;
}

async function getAssignedRunner(sandbox: Sandbox): Promise<number> {
  const id = await getOtherRunner(sandbox);
  await sandbox.post(`/projects/${sandbox.project.id}/runners`, { runner_id: id });
  return id;
}

/** The token that runners of the sandbox's project register with, which the instance accepts from then on. */
async function getRegistrationToken({ app, people, project }: Sandbox): Promise<string> {
  await app.set({ allow_runner_registration_token: true });
  return (await app.as(people.admin).get(`/projects/${project.id}`)).body.runners_token as string;
}

const token = async (sandbox: Sandbox) => (await createRunner(sandbox)).token;

async function tokenWithManager(sandbox: Sandbox): Promise<string> {
  const runner = await createRunner(sandbox);
  await sandbox.app.anonymous.post('/runners/verify', { token: runner.token, system_id: 's_1' });
  return runner.token;
}

export default {
  records: {
    '/runners/:id': getNewRunner,
    '/projects/:id/runners/:runner_id': getAssignedRunner,
  },
  requests: {
    'POST /user/runners': { caller: ({ people }) => people.admin },
    'PUT /runners/:id': { params: { description: () => 'Edited' }, edit: { description: 'Edited again' } },
    'DELETE /runners/:id': { unused: getNewRunner },
    'POST /projects/:id/runners': {
      params: { runner_id: getOtherRunner },
      caller: ({ people }) => people.author,
      namesOthers: 'the runner that it names',
    },
    'DELETE /projects/:id/runners/:runner_id': { unused: getAssignedRunner },
    'POST /runners': { params: { token: getRegistrationToken }, namesOthers: 'the token' },
    'POST /runners/verify': { params: { token }, namesOthers: 'the token' },
    'POST /runners/reset_authentication_token': { params: { token }, namesOthers: 'the token' },
    'DELETE /runners': { params: { token }, namesOthers: 'the token' },
    'DELETE /runners/managers': {
      params: { token: tokenWithManager, system_id: () => 's_1' },
      namesOthers: 'the token',
    },
  },
} satisfies AreaExamples;
