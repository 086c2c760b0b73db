import { diffArchives } from './archives/inspection/diff-archives.js';
import { inspectArchive } from './archives/inspection/inspect-archive.js';
import { ArchiveRejected } from './archives/read/archive-rejected.js';

/**
 * The launcher runs this file for `npm run archive`: exit code 0, 1 for archives that differ, 2 for an invalid archive.
 */
const [command, ...files] = process.argv.slice(2);
const signal = new AbortController().signal;

async function run(): Promise<number> {
  const lines =
    command === 'inspect'
      ? await inspectArchive(files[0] as string, signal)
      : await diffArchives(files[0] as string, files[1] as string, signal);
  for (const line of lines) process.stdout.write(`${line}\n`);
  if (command !== 'diff') return 0;
  if (lines.length === 0) process.stdout.write('no difference\n');
  return lines.length === 0 ? 0 : 1;
}

function getProblem(error: unknown): string {
  if (!(error instanceof ArchiveRejected)) return (error as Error).message;
  const { file, line } = error.location;
  const location = file === undefined ? '' : ` (${file}${line === undefined ? '' : `, line ${line}`})`;
  return `An import would refuse it: ${error.message}${location}`;
}

process.exitCode = await run().catch((error: unknown) => {
  process.stderr.write(`${getProblem(error)}\n`);
  return 2;
});
