import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import path from 'node:path';
import { gitEnvironment, repositoryPath } from '../../shared/git/index.js';
import { commitLines, fastImport, fileLines } from './attacks/repositories.js';
import type { Child } from './child.js';
import { report } from './goal.js';
import type { Bench, Goal } from './goal.js';
import type { BenchSite } from './bench-site.js';
import { median, withSpread } from './statistics.js';

/** The target of the reads: a project with a history imported by git, and the id of its head. */
interface Read {
  url: string;
  token: string;
  repository: string;
  head: string;
}

/** A project with this history on a branch `large`. */
async function prepare(site: BenchSite, api: Child, name: string, history: Iterable<string | Buffer>): Promise<Read> {
  const token = site.env.INITIAL_ROOT_TOKEN!;
  const response = await fetch(`${api.url}/api/v4/projects`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name, initialize_with_readme: true }),
  });
  const project = (await response.json()) as { id: number; path_with_namespace: string };
  if (response.status !== 201) throw new Error(JSON.stringify(project));
  const repository = repositoryPath(path.join(site.config.dataDir, 'repositories'), project.id);
  const head = await fastImport(
    { id: project.id, full_path: project.path_with_namespace, repository },
    history,
    'large',
  );
  return { url: `${api.url}/api/v4/projects/${project.id}/repository`, token, repository, head };
}

interface Timed {
  /** Milliseconds until the first byte of the body, and until the last. */
  firstMs: number;
  wholeMs: number;
  bytes: number;
}

/**
 * Uses a plain client: the streams of `fetch` take longer than the measured request. @throws unless the response is a
 * 200
 */
function timed({ url, token }: Read, rest: string): Promise<Timed> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const outgoing = request(`${url}/${rest}`, { headers: { 'PRIVATE-TOKEN': token }, agent: false }, (response) => {
      let firstMs = 0;
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        firstMs ||= performance.now() - began;
        bytes += chunk.length;
      });
      response.once('error', reject);
      response.once('end', () =>
        response.statusCode === 200
          ? resolve({ firstMs, wholeMs: performance.now() - began, bytes })
          : reject(new Error(`${rest}: ${response.statusCode}`)),
      );
    });
    outgoing.once('error', reject).end();
  });
}

/** Measures in an API of its own. */
async function withApi(site: BenchSite, measure: (api: Child) => Promise<Goal[]>): Promise<Goal[]> {
  const api = await site.api();
  try {
    return await measure(api);
  } finally {
    await api.stop();
  }
}

const within = (name: string, values: readonly number[], most: number): Goal => ({
  name,
  target: `<= ${most} ms`,
  measured: withSpread(values, 0, ' ms'),
  holds: median(values) <= most,
});

const ARCHIVE_MIB = 200;
const ARCHIVE_FILES = 2000;
const ARCHIVE_RATIO = 1.3;

function* files(): Iterable<string | Buffer> {
  const bytes = Math.floor((ARCHIVE_MIB * 2 ** 20) / ARCHIVE_FILES);
  yield commitLines('large', 'Add files');
  for (let index = 0; index < ARCHIVE_FILES; index += 1) {
    yield `M 100644 inline files/${index % 100}/${index}.bin\ndata ${bytes}\n`;
    yield randomBytes(bytes);
    yield '\n';
  }
}

/** Milliseconds that git itself takes for the same archive. */
async function archiveByGit({ repository, head }: Read, format: string): Promise<number> {
  const began = performance.now();
  const args = [`--git-dir=${repository}`, 'archive', `--format=${format}`, '--prefix=x/', head];
  const child = spawn('git', args, { env: gitEnvironment(), stdio: ['ignore', 'pipe', 'inherit'] });
  child.stdout.resume();
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`git archive ended with ${String(code)}.`);
  return performance.now() - began;
}

/** Archives of 200 MiB, compared with `git archive` itself, alternating. */
export const archive: Bench = {
  name: 'archive',
  run: (site, { rounds }) =>
    withApi(site, async (api) => {
      const read = await prepare(site, api, 'Archive', files());
      const goals: Goal[] = [];
      for (const format of ['tar', 'tar.gz']) {
        const own: Timed[] = [];
        const git: number[] = [];
        await archiveByGit(read, format);
        for (let round = 0; round < rounds; round += 1) {
          own.push(await timed(read, `archive.${format}?sha=${read.head}`));
          git.push(await archiveByGit(read, format));
        }
        const ratios = own.map(({ wholeMs }, round) => wholeMs / git[round]!);
        const times = own.map(({ wholeMs }) => wholeMs);
        report(`${format}: service ${withSpread(times, 0, ' ms')}, git archive ${withSpread(git, 0, ' ms')}`);
        goals.push({
          name: `archive.${format}`,
          target: `<= ${ARCHIVE_RATIO} x git archive`,
          measured: withSpread(ratios),
          holds: median(ratios) <= ARCHIVE_RATIO,
        });
        goals.push(
          within(
            `archive.${format}, first byte`,
            own.map(({ firstMs }) => firstMs),
            200,
          ),
        );
      }
      return goals;
    }),
};

const COMPARED_COMMITS = 10_000;

function* commits(): Iterable<string> {
  for (let index = 0; index <= COMPARED_COMMITS; index += 1) {
    yield commitLines('large', `Change ${index}\n\nWith a few words on what it does and why it is done.`);
    yield fileLines(`files/${index % 300}.txt`, `The content of the file, number ${index}.\n`);
  }
}

/** A comparison of two branches that 10,000 commits lie between. */
export const compareCommits: Bench = {
  name: 'compare',
  run: (site, { rounds }) =>
    withApi(site, async (api) => {
      const read = await prepare(site, api, 'Compare', commits());
      const first = await timed(read, `commits/${read.head}/sequence`);
      report(`sequence of ${COMPARED_COMMITS + 1} commits: ${first.wholeMs.toFixed(0)} ms`);
      const from = await commitBefore(read);
      const times: number[] = [];
      for (let round = 0; round <= rounds; round += 1)
        times.push((await timed(read, `compare?from=${from}&to=${read.head}`)).wholeMs);
      return [within(`compare, ${COMPARED_COMMITS} commits`, times.slice(1), 1000)];
    }),
};

/** The first commit of the history. */
async function commitBefore({ repository, head }: Read): Promise<string> {
  const child = spawn('git', [`--git-dir=${repository}`, 'rev-list', '--max-parents=0', head], {
    env: gitEnvironment(),
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return text.trim();
}

const DIFFERENT_FILES = 1000;

function* changes(): Iterable<string> {
  for (const version of ['before', 'after']) {
    yield commitLines('large', version);
    for (let index = 0; index < DIFFERENT_FILES; index += 1) {
      const lines = Array.from({ length: 80 }, (_, line) => `Line ${line} ${line === 40 ? version : 'as it is'}\n`);
      yield fileLines(`files/${index % 50}/${index}.txt`, lines.join(''));
    }
  }
}

/** The diff of a commit that changes 1,000 files: its first page, and all of them. */
export const diff: Bench = {
  name: 'diff',
  run: (site, { rounds }) =>
    withApi(site, async (api) => {
      const read = await prepare(site, api, 'Diff', changes());
      const pages: number[] = [];
      const all: number[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        pages.push((await timed(read, `commits/${read.head}/diff?per_page=20`)).wholeMs);
        all.push((await timed(read, `compare?from=${await commitBefore(read)}&to=${read.head}`)).wholeMs);
      }
      return [within('diff, 20 of 1,000 files', pages.slice(1), 150), within('diff, 1,000 files', all.slice(1), 1000)];
    }),
};
