// A long test: it installs semantic-release, where npm's registry can be reached.
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import test from 'ava';
import { useApp } from '../../core/app.js';
import { temporaryFolder } from '../../git/git-fixture.js';
import { lsRemote, getUrl } from './git-client.js';
import { workTree } from './push-client.js';

const app = useApp(test);
const run = promisify(execFile);
const SECOND = 1000;

/** Versions as they are installed, so that a new one does not break the test by itself. */
const PACKAGES = ['semantic-release@24.2.9'];

/** Installs the tool; null where the registry cannot be reached. */
async function install(folder: string): Promise<string | null> {
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const args = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--fetch-retries=0', ...PACKAGES];
  try {
    await run('npm', args, { cwd: folder, timeout: 300 * SECOND });
    return join(folder, 'node_modules', 'semantic-release', 'bin', 'semantic-release.js');
  } catch (error) {
    if (/E(NOTFOUND|AI_AGAIN|CONNREFUSED|TIMEDOUT|NETUNREACH|CONNRESET)|network/i.test(String(error))) return null;
    throw error;
  }
}

// Contract: git-http-1.semantic-release
test('semantic-release makes two releases as it is published', async (t) => {
  t.timeout(600 * SECOND);
  const tool = await install(await temporaryFolder(t));
  if (tool === null) {
    t.log('skipped: the registry of npm cannot be reached');
    return t.pass();
  }
  const project = await app.build.project();
  const work = await workTree(t, app, project, { as: project.owner });
  const url = getUrl(app, project, project.owner);
  await work.inside('remote', 'set-url', 'origin', url);
  const release = async (message: string) => {
    await work.inside('commit', '--quiet', '--allow-empty', '-m', message);
    await work.inside('push', '--quiet', url, 'HEAD:main');
    const args = ['--no-ci', '--branches', 'main', '--plugins', '@semantic-release/commit-analyzer', '-r', url];
    const env = {
      PATH: process.env.PATH,
      HOME: '/nonexistent',
      GIT_TERMINAL_PROMPT: '0',
      GIT_CONFIG_GLOBAL: '/dev/null',
    };
    return run(process.execPath, [tool, ...args], { cwd: work.folder, env, timeout: 120 * SECOND });
  };
  t.regex((await release('feat: an engine')).stdout, /Published release 1\.0\.0/);
  t.regex((await release('fix: the engine')).stdout, /Published release 1\.0\.1/);
  const { stdout } = await lsRemote(app, project, { as: project.owner });
  const names = stdout.split('\n').flatMap((line) => line.split('\t')[1] ?? []);
  for (const version of ['v1.0.0', 'v1.0.1']) {
    t.true(names.includes(`refs/tags/${version}`), version);
    t.true(names.includes(`refs/notes/semantic-release-${version}`), version);
  }
  return undefined;
});
