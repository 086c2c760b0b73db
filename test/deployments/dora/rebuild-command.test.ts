import { execFile } from 'node:child_process';
import path from 'node:path';
import test from 'ava';
import { startService } from '../../core/processes.js';

// A process of its own: runs commands against a service that it starts.

function rebuild(args: string[], env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    const script = path.resolve('shared/launch/capstan.mjs');
    execFile(process.execPath, [script, 'rebuild', ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

// Contract: dora-5.rebuild
test.serial('npm run rebuild -- dora computes the metrics anew, and refuses what it does not know', async (t) => {
  t.timeout(120_000);
  const service = await startService(t, { workers: 0 });
  const { id } = (await service.root.post('/projects', { name: 'Measured' })).body;
  await service.database.query(
    `with e as (
       insert into environments (project_id, name, slug, tier, created_at, updated_at)
       values ($1, 'production', 'production', 'production', now(), now()) returning id)
     insert into deployments (project_id, iid, environment_id, ref, tag, sha, status, created_at, updated_at, finished_at)
     select $1, 1, e.id, 'main', false, 'a', 'success', now(), now(), now() from e`,
    [id],
  );
  const metrics = () => service.root.get(`/projects/${id}/dora/metrics?metric=deployment_frequency&interval=all`);
  t.deepEqual((await metrics()).body, [{ date: null, value: null }]);
  const done = await rebuild(['dora'], service.env);
  t.is(done.code, 0, done.stderr);
  t.is(done.stdout, '1 projects looked at, 1 days were not as they should be\n');
  t.deepEqual((await metrics()).body, [{ date: null, value: 1 }]);
  t.regex((await rebuild(['dora'], service.env)).stdout, /, 0 days were/);
  t.not((await rebuild([], service.env)).code, 0);
  t.regex((await rebuild(['repositories'], service.env)).stderr, /"repositories" can't be rebuilt/);
});
