import path from 'node:path';
import { repositoryPath } from '../../shared/git/index.js';
import { commitLines, fastImport, fileLines, git } from './attacks/repositories.js';
import type { NewProject } from './attacks/ground.js';
import { compare } from './compare.js';
import type { Bench } from './goal.js';
import type { BenchSite } from './bench-site.js';

const BRANCHES = 5_000;
const TOKENS = 50;
/** Requests before it is measured: each starts git twice. */
const WARM_UP = 300;
/** Of the same group as the dataset's project. */
const OTHER_PROJECT = 10_161;

/** Branches with a commit of their own, on top of the first one. */
function* branches(): Iterable<string> {
  for (let index = 1; index <= BRANCHES; index += 1) {
    yield commitLines(`feature-${index}`, `Work on feature ${index}`);
    yield 'from refs/heads/main^0\n';
    yield fileLines(`features/${index}.txt`, `feature ${index}`);
  }
}

/** A project with the branches, in a group of the caller's; its index of refs is written from what git has. */
async function manyBranches(site: BenchSite, url: string): Promise<number> {
  const response = await fetch(`${url}/api/v4/projects`, {
    method: 'POST',
    headers: { 'PRIVATE-TOKEN': site.data.token, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Branches', namespace_id: 2001, initialize_with_readme: true }),
  });
  const newProject = (await response.json()) as { id: number; path_with_namespace: string };
  if (response.status !== 201) throw new Error(JSON.stringify(newProject));
  const repository = repositoryPath(path.join(site.config.dataDir, 'repositories'), newProject.id);
  const project: NewProject = { id: newProject.id, full_path: newProject.path_with_namespace, repository };
  await fastImport(project, branches(), 'feature-1');
  await git(project, ['pack-refs', '--all']);
  const lines = await git(project, [
    'for-each-ref',
    '--format=%(objectname) %(refname:lstrip=2)',
    'refs/heads/feature-*',
  ]);
  const refs = lines.split('\n').map((line) => line.split(' ') as [string, string]);
  await site.db.query(
    `insert into repository_refs (project_id, kind, full_name, name, object_sha, target_sha, git_date, dated_sha,
                                  created_at, updated_at)
     select $1, 'branch', 'refs/heads/' || r.name, r.name, r.sha, r.sha, 1893456000, r.sha, now(), now()
       from unnest($2::text[], $3::text[]) as r (sha, name)`,
    [newProject.id, refs.map(([sha]) => sha), refs.map(([, name]) => name)],
  );
  await site.db.query('vacuum analyze repository_refs');
  return newProject.id;
}

const branchList: Bench = {
  name: 'branches',
  async run(site, effort) {
    const api = await site.api();
    const id = await manyBranches(site, api.url).finally(() => api.stop());
    return compare(site, effort, {
      name: 'branches',
      path: `/api/v4/projects/${id}/repository/branches?per_page=20`,
      share: 0.4,
      token: site.data.token,
      warmUp: WARM_UP,
    });
  },
};

const tokenList: Bench = {
  name: 'deploy-token-list',
  group: 'deploy-tokens',
  async run(site, effort) {
    await site.db.query(
      `insert into deploy_tokens (project_id, name, digest, scopes, created_by_id, created_at, updated_at)
       select $1, 'Token ' || i, sha256(convert_to('bench ' || i, 'UTF8')), '{read_repository,read_registry}', $2, now(), now()
         from generate_series(1, ${TOKENS}) i`,
      [site.data.projectId, site.data.userId],
    );
    return compare(site, effort, {
      name: 'deploy-token-list',
      path: `/api/v4/projects/${site.data.projectId}/deploy_tokens`,
      share: 0.4,
      token: site.data.token,
    });
  },
};

const tokenCreation: Bench = {
  name: 'deploy-token-create',
  group: 'deploy-tokens',
  run: (site, effort) =>
    compare(site, effort, {
      name: 'deploy-token-create',
      path: `/api/v4/projects/${OTHER_PROJECT}/deploy_tokens`,
      share: 0.35,
      token: site.data.token,
      post: { name: 'Release', scopes: ['read_repository', 'read_registry'] },
      unlike: ['id', 'username', 'created_at', 'token'],
    }),
};

/** Twenty of 5,000 branches, and deploy tokens of a project: twenty of fifty, and a new one. */
export const repositoryAccess: Bench[] = [branchList, tokenList, tokenCreation];
