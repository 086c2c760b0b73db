import { writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { blocksIn, helpPages } from '../help-commands.js';
import { eventually, ROOT_TOKEN } from '../processes.js';
import { LAUNCH_MS, Installation } from './installation.js';

// A process of its own: runs commands against a service that it starts.

const installation = new Installation();
const DATA_DIR = path.join(installation.checkout, '.data');

test.after.always('remove the installation', () => installation.remove());

/** The lines of the help that run on the machine of a service, each once. Starts have tests of their own, and so have objects in a bucket. */
const lines = new Set(
  [...helpPages.values()]
    .flatMap((text) => blocksIn(text))
    .flatMap(({ content }) => content.split('\n'))
    .filter((line) => /^(?:npm run (?!start)|tar )/.test(line) && !line.includes('move-objects')),
);

/** What stands in the place of the archives and of the registry's certificate that commands name. */
const withFiles = (line: string, archive: string): string =>
  line
    .replace('/etc/docker/registry/capstan.crt', path.join(installation.directory, 'capstan.crt'))
    .replaceAll(/\S*\.tar\.gz(?= |$)|FILE/g, (name) => (name === 'capstan-backup.tar.gz' ? name : archive));

// Contract: help.commands
test.serial('every command line of the help runs on the machine of a service', async (t) => {
  t.timeout(LAUNCH_MS);
  const service = await installation.start({ DATA_DIR });
  const { root } = service;
  t.is((await root.post('/projects', { name: 'Rocket', initialize_with_readme: true })).status, 201);
  t.is((await root.post('/projects/root%2Frocket/export', {})).status, 202);
  const exported = '/projects/root%2Frocket/export';
  await eventually(async () => (await root.get(exported)).body.export_status === 'finished');
  const archive = path.join(installation.directory, 'rocket.tar.gz');
  const response = await fetch(`${service.url}/api/v4${exported}/download`, {
    headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
  });
  writeFileSync(archive, Buffer.from(await response.arrayBuffer()));
  t.true(lines.size >= 10, `${lines.size}`);
  const run = async (line: string) => {
    const { code, stdout, stderr } = await installation.shell(withFiles(line, archive), { DATA_DIR });
    t.is(code, 0, `${line}\n${stdout}\n${stderr}`);
  };
  // A backup is of a service that is stopped.
  const backups = [...lines].filter((line) => line.startsWith('tar '));
  for (const line of lines) if (!backups.includes(line)) await run(line);
  t.is(await service.stop(), 0);
  for (const line of backups) await run(line);
});
