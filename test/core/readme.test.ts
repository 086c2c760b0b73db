import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import test from 'ava';
import { loadConfig } from '../../shared/core/config.js';
import { eventually, ROOT_TOKEN, startService } from './processes.js';

const readme = readFileSync('README.md', 'utf8');

/** The shell commands of a section, as they stand there. */
function commandsOf(heading: string): string[] {
  const section = readme.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command]) => (command as string).trim());
}

test('the five calls of the README lead from nothing to a fired pipeline', async (t) => {
  const service = await startService(t);
  const shell = promisify(execFile);
  const run = async (command: string) => {
    const { stdout } = await shell('bash', ['-c', command.replaceAll('http://127.0.0.1:8080', service.url)], {
      env: { ...process.env, TOKEN: ROOT_TOKEN },
    });
    return JSON.parse(stdout);
  };
  const [, who, project, schedule, play, pipelines, ...more] = commandsOf(
    'From nothing to a fired pipeline',
  ) as string[];
  t.deepEqual(more, []);
  t.is((await run(who as string)).username, 'root');
  t.is((await run(project as string)).path_with_namespace, 'root/rocket');
  t.is((await run(schedule as string)).cron, '* * * * *');
  t.deepEqual(await run(play as string), { message: '201 Created' });
  const [fired] = await eventually(async () => {
    const list = await run(pipelines as string);
    return list.length > 0 && list;
  });
  t.is(fired.source, 'scheduled');
});

test('the README names every setting with its default', (t) => {
  const config = loadConfig({ DATABASE_URL: 'postgres://127.0.0.1/x', SECRET_KEY_BASE: 'x'.repeat(32) });
  const rows = new Map(
    [...readme.matchAll(/^\| `([A-Z_]+)` \| `?([^`|]*?)`? \|/gm)].map(([, name, fallback]) => [name, fallback]),
  );
  t.is(rows.get('HOST'), config.host);
  t.is(Number(rows.get('PORT')), config.port);
  t.is(Number(rows.get('WORKERS')), config.workers);
  t.is(rows.get('LOG_LEVEL'), config.logLevel);
  t.is(rows.get('API_VERSION'), config.apiVersion);
  for (const name of [
    'EXTERNAL_URL',
    'DATA_DIR',
    'DATABASE_URL',
    'SECRET_KEY_BASE',
    'INITIAL_ROOT_TOKEN',
    'INITIAL_ROOT_PASSWORD',
  ])
    t.true(rows.has(name), name);
});
