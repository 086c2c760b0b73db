import { execFile } from 'node:child_process';
import path from 'node:path';
import test from 'ava';
import { repositoryPath } from '../../../shared/git/index.js';
import { plainGit } from '../../git/git-fixture.js';
import { startService } from '../processes.js';
import { LAUNCH_MS } from './installation.js';

// A process of its own: runs commands against a service that it starts.

/** Runs a command of the launcher, by its own script or by a program that it starts. */
function run(script: string, args: string[], env: NodeJS.ProcessEnv) {
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, [path.resolve(script), ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

// Contract: git-http-5.repair
test.serial(
  'the doctor finds index and repository apart, and the repair that it advises tells what differed',
  async (t) => {
    t.timeout(LAUNCH_MS);
    const service = await startService(t, { workers: 0 });
    const { id } = (await service.root.post('/projects', { name: 'Apart', initialize_with_readme: true })).body;
    const repository = repositoryPath(path.join(service.env.DATA_DIR as string, 'repositories'), id);
    const sha = plainGit(repository, ['rev-parse', 'refs/heads/main']).trim();
    plainGit(repository, ['update-ref', 'refs/heads/behind-its-back', sha]);
    const repair = (...args: string[]) =>
      run('shared/launch/capstan.mjs', ['repair', 'repositories', ...args], service.env);
    const doctor = () => run('dist/shared/doctor.js', [], service.env);
    t.regex(
      (await doctor()).stdout,
      new RegExp(
        `FAILED {2}repositories .*project ${id} has 1 branches .*npm run repair -- repositories --project ${id}`,
      ),
    );
    const dry = await repair('--dry-run');
    t.is(dry.code, 1, dry.stderr);
    t.regex(dry.stdout, new RegExp(`refs/heads/behind-its-back: nothing in the index, ${sha} in git`));
    t.regex(dry.stdout, /1 repositories looked at, 1 would be brought in order, 0 could not be read/);
    const url = `/projects/${id}/repository/branches/behind-its-back`;
    t.is((await service.root.get(url)).status, 404);
    const done = await repair('--project', 'root/apart');
    t.is(done.code, 0, done.stderr);
    t.regex(done.stdout, /1 were brought in order/);
    t.is((await service.root.get(url)).status, 200);
    const events = await service.root.get(`/audit_events?entity_type=Project&entity_id=${id}`);
    t.is(events.body[0].event_name, 'project_repository_repaired');
    t.is(events.body[0].details.author_name, 'The command line on this machine');
    t.regex((await doctor()).stdout, /ok {6}repositories .*1 looked at, none is damaged/);
    const none = await repair('--project', '999');
    t.is(none.code, 1);
    t.regex(none.stderr, /capstan: 404 Project Not Found/);
    for (const args of [['--project', 'x'], ['--all'], ['more']]) {
      const rejection = await repair(...args);
      t.is(rejection.code, 64, rejection.stderr);
      t.regex(rejection.stderr, /npm run repair -- repositories/);
    }
  },
);
