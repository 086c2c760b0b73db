import test from 'ava';
import { requestJobOfRunner } from '../../../shared/ci/runner-protocol/request-job.operations.js';
import { updateJobOfRunner } from '../../../shared/ci/job-reports/update-job.js';
import { getHeldPolls } from '../../../shared/ci/job-handouts/held-polls.js';
import { useApp } from '../../core/app.js';
import { createVariable } from '../variables/variable-owners.js';
import { protocolSteps } from './protocol-steps.js';

const app = useApp(test);
const steps = protocolSteps(app);

// Contract: ci-runner-protocol.statements
test('a hand-out and a report take as many statements for a large job, in a long queue, as for a small one', async (t) => {
  const counts: Record<string, number>[] = [];
  // The first time a process remembers things.
  // What was queued before a process hears of jobs is read once more when it does.
  const polls = getHeldPolls(app.services);
  polls.start();
  while (!polls.hearing) await new Promise((resolve) => setImmediate(resolve));
  for (const size of [1, 1, 20]) {
    const project = await app.build.project();
    const owner = { client: app.as(project.owner), path: `/projects/${project.id}/variables` };
    for (let index = 0; index < size; index += 1) await createVariable(owner, { key: `K${index}`, value: 'value' });
    for (let index = 0; index < size; index += 1)
      await steps.createJob(project, { definition: { script: Array(size).fill('x') } });
    const { token } = await steps.createRunner();
    const ask = () => app.anonymous.post('/jobs/request', { token, system_id: 's_1', info: { features: {} } });
    // Its manager is known from then on.
    await app.anonymous.post('/jobs/request', { token: (await steps.createRunner({ paused: true })).token });
    const count: Record<string, number> = {};
    let answered: { id: number; token: string } | null = null;
    count.request = await app.statementsOf(async () => {
      answered = (await ask()).body as { id: number; token: string };
    });
    const job = answered as { id: number; token: string } | null;
    const update = (state: string) => app.anonymous.put(`/jobs/${job?.id}`, { token: job?.token, state });
    count.alive = await app.statementsOf(() => update('running'));
    count.end = await app.statementsOf(() => update('success'));
    counts.push(count);
    while ((await ask()).status === 201);
    count.nothing = await app.statementsOf(ask);
  }
  const [, small, large] = counts;
  t.deepEqual(large, small);
  t.log(small);
  t.true(small!.request! <= requestJobOfRunner.statements);
  t.true(small!.nothing! <= 6);
  t.true(Math.max(small!.alive!, small!.end!) <= updateJobOfRunner.statements);
});
