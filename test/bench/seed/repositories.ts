import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import type pg from 'pg';
import { createRepository, gitEnvironment, listRefs, repositoryPath } from '../../../shared/git/index.js';
import { projectId } from './sizes.js';
import type { Sizes } from './sizes.js';

const PROJECTS = 3;
const COMMITS = 500;
const BRANCHES = 5_000;
const TAGS = 10_000;
/** Of the first commit, in seconds since 1970; each next one is a minute younger. */
const BEGAN = 1_800_000_000;

function* history(): Iterable<string> {
  for (let index = 0; index < COMMITS; index += 1)
    yield (
      `commit refs/heads/main\ncommitter Ann Example <ann@example.com> ${BEGAN + index * 60} +0000\n` +
        `data 6\nChange\nM 100644 inline files/${index % 50}.txt\ndata 5\n${String(index).padStart(5, '0')}\n`
    );
}

/** Runs git and answers what it prints. @throws unless it ends with 0 */
async function git(repository: string, args: string[], input: Iterable<string> = []): Promise<string> {
  const child = spawn('git', [`--git-dir=${repository}`, ...args], {
    env: gitEnvironment(),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await pipeline(Readable.from(input), child.stdin);
  const code = await exit;
  if (code !== 0) throw new Error(`git ${args[0]} ended with ${code}.`);
  return output;
}

const numbered = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(5, '0')}`);

/** A repository with a short history and very many branches and tags, spread over it. */
async function makeRepository(repository: string): Promise<void> {
  await createRepository(repository, 'main');
  await git(repository, ['fast-import', '--quiet'], history());
  const commits = (await git(repository, ['rev-list', 'main'])).trim().split('\n');
  const names = [...numbered('refs/heads/story/', BRANCHES - 1), ...numbered('refs/tags/v1.', TAGS)].toSorted();
  const lines = names.map((name, index) => `${commits[(index * 7) % commits.length]} ${name}\n`);
  // As one file: git would write one file for each. The existing `main` next to it counts too.
  await writeFile(path.join(repository, 'packed-refs'), `# pack-refs with: sorted \n${lines.join('')}`);
}

/**
 * Gives the first projects of a dataset repositories with 5,000 branches and 10,000 tags each, in DATA_DIR and in the
 * index of refs.
 * @returns ids of these projects
 */
export async function fillRepositories(db: pg.ClientBase, sizes: Sizes, dataDir: string): Promise<number[]> {
  const ids = Array.from({ length: Math.min(PROJECTS, sizes.projects) }, (_, index) => projectId(index + 1));
  for (const id of ids) {
    const repository = repositoryPath(path.join(dataDir, 'repositories'), id);
    await makeRepository(repository);
    const refs = await listRefs(repository);
    await db.query(
      `insert into repository_refs
         (project_id, kind, full_name, name, object_sha, target_sha, git_date, dated_sha, created_at, updated_at)
       select $1, case when u.name like 'refs/tags/%' then 'tag' else 'branch' end, u.name,
              regexp_replace(u.name, '^refs/[a-z]+/', ''), u.sha, u.sha, u.date, u.sha, now(), now()
         from unnest($2::text[], $3::text[], $4::bigint[]) as u (name, sha, date)
       -- The project of the merge requests has rows of its branches already.
       on conflict (project_id, full_name) do update
         set object_sha = excluded.object_sha, target_sha = excluded.target_sha, git_date = excluded.git_date,
             dated_sha = excluded.dated_sha`,
      [
        id,
        refs.map(({ name }) => name),
        refs.map(({ sha }) => sha),
        refs.map(({ created_at: at }) => Math.floor((at?.getTime() ?? 0) / 1000)),
      ],
    );
    await db.query(`update projects set repository_created = true, default_branch = 'main' where id = $1`, [id]);
  }
  await db.query('analyze repository_refs');
  return ids;
}
