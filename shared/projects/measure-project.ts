import type { Context } from '../core/context.js';
import { commitCount, listFiles, readBlob, readObjects, repositorySize } from '../core/git/index.js';
import type { SizedFile } from '../core/git/index.js';
import { sql } from '../core/sql.js';
import { detectLanguages } from '../languages/detect-languages.js';
import { licenseFile, recogniseLicense } from '../licenses/recognise-license.js';
import { repositoryOf } from '../repositories/write-refs.js';
import { readmeFile } from './readme-file.js';

interface Found {
  head_sha: string | null;
  commit_count: number;
  repository_size: number;
  readme_path: string | null;
  license_path: string | null;
  license_key: string | null;
  languages: Map<string, number>;
}

/** Bytes of a licence file that are looked at. */
const LICENSE_BYTES = 256 * 1024;

const NOTHING = {
  head_sha: null,
  commit_count: 0,
  readme_path: null,
  license_path: null,
  license_key: null,
  languages: new Map<string, number>(),
};

async function licenseIn(location: string, head: string, files: readonly SizedFile[]) {
  const path = licenseFile(files.map((file) => file.path).filter((name) => !name.includes('/')));
  const blob = path === null ? null : await readBlob(location, head, path, LICENSE_BYTES);
  return { license_path: path, license_key: blob ? recogniseLicense(blob.content.toString('utf8')) : null };
}

const readTexts = async (location: string, ids: string[]) =>
  (await readObjects(location, ids)).map((found) => found?.content.toString('utf8') ?? '');

/** What a repository holds at the head of its default branch. */
async function look(location: string, head: string | null): Promise<Found> {
  const repository_size = await repositorySize(location);
  if (head === null) return { ...NOTHING, repository_size };
  const [commit_count, files] = await Promise.all([commitCount(location, head), listFiles(location, head)]);
  const names = files.map((file) => file.path).filter((name) => !name.includes('/'));
  return {
    head_sha: head,
    commit_count,
    repository_size,
    readme_path: readmeFile(names),
    ...(await licenseIn(location, head, files)),
    languages: await detectLanguages(files, (ids) => readTexts(location, ids)),
  };
}

async function store(ctx: Context, projectId: number, found: Found): Promise<void> {
  await ctx.query(sql`
    update project_statistics
       set head_sha = ${found.head_sha}, commit_count = ${found.commit_count},
           repository_size = ${found.repository_size}, readme_path = ${found.readme_path},
           license_path = ${found.license_path}, license_key = ${found.license_key}
     where project_id = ${projectId}`);
  const names = [...found.languages.keys()];
  await ctx.query(sql`
    delete from project_languages where project_id = ${projectId} and not (name = any(${names}::text[]))`);
  await ctx.query(sql`
    insert into project_languages (project_id, name, bytes)
    select ${projectId}, u.name, u.bytes
      from unnest(${names}::text[], ${[...found.languages.values()]}::bigint[]) as u (name, bytes)
    on conflict (project_id, name) do update set bytes = excluded.bytes`);
}

/**
 * Counts what a project's repository holds and keeps it. Jobs for one project wait for each other, so that what is
 * kept is never older than the last of them. Nothing happens for a project that is gone.
 */
export async function measureProject(ctx: Context, projectId: number): Promise<void> {
  await ctx.transaction(async () => {
    await ctx.query(sql`select id from project_statistics where project_id = ${projectId} for no key update`);
    const project = await ctx.queryOne<{ repository_created: boolean; head: string | null }>(sql`
      select p.repository_created as "repository_created", r.target_sha as "head"
        from projects p left join repository_refs r
          on r.project_id = p.id and r.full_name = 'refs/heads/' || p.default_branch
       where p.id = ${projectId}`);
    if (!project?.repository_created) return;
    await store(ctx, projectId, await look(repositoryOf(ctx, { id: projectId }), project.head));
  });
}
