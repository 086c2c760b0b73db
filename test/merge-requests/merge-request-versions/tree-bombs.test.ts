// A long test: git works for seconds on what it cannot do.
import { join } from 'node:path';
import test from 'ava';
import type { ExecutionContext } from 'ava';
import { useApp } from '../../core/app.js';
import { commitWith, deepTree, wideTree } from '../../git/tree-bombs.js';
import { workTree } from '../../repositories/git-http/push-client.js';
import { mergingIn } from '../merging/merging-steps.js';

// On a busy machine git only gets otherwise unused CPU time.
const app = useApp(test, [], { git: { timeoutMs: 300_000 } });

/** Trees that cannot be compared: too many files, folders without files, folders nested too deeply. */
const BOMBS: Record<string, (repository: string) => string> = {
  '10^10 files': (repository) => wideTree(repository),
  '10^10 folders without a file': (repository) => wideTree(repository, { files: false }),
  'folders 20,000 deep': (repository) => deepTree(repository, 20_000),
};

/** A merge request with an approval, and a clone whose `push` sends a bomb to its branch. */
async function approved(t: ExecutionContext) {
  const project = await app.build.project();
  const steps = await mergingIn(app, {}, project);
  const { path, make } = steps;
  const request = await make();
  await app.work();
  const developer = await app.build.member(project, 'developer');
  await app.as(developer).post(`${path}/${request.iid}/approve`);
  const tree = await workTree(t, app, project, { as: await app.build.token(project.owner) });
  const repository = join(tree.folder, '.git');
  return {
    ...steps,
    project,
    request,
    repository,
    url: `${path}/${request.iid}`,
    /** Pushes to the branch of the merge request by default. */
    async push(bomb: string, files: Record<string, string>, { branch = String(request.source_branch), on = '' } = {}) {
      const sha = commitWith(repository, on || request.sha, bomb, files);
      const pushed = await tree.push([`${sha}:refs/heads/${branch}`]);
      t.is(pushed.code, 0, pushed.stderr);
      return sha;
    },
  };
}

for (const [what, bomb] of Object.entries(BOMBS)) {
  test.serial(
    `a push of ${what} is the head at once, takes approvals back, is told as too large, and can be merged`,
    async (t) => {
      t.timeout(600_000);
      const { project, owner, url, request, repository, push, merge, read } = await approved(t);
      await owner.get(`${url}/commits`);
      const sha = await push(bomb(repository), { 'evil.txt': 'evil\n' });
      await app.work();
      const found = await read(request);
      t.like(found, { sha, changes_count: '3000+', detailed_merge_status: 'mergeable', merge_error: null });
      t.deepEqual((await owner.get(`${url}/approvals`)).body.approved_by, []);

      const changes = await owner.get(`${url}/changes`);
      t.like(changes, { status: 200, body: { changes: [], overflow: true } });
      for (const end of ['/diffs', '/raw_diffs']) t.is((await owner.get(`${url}${end}`)).status, 413, end);
      const versions = await owner.get(`${url}/versions`);
      t.like(versions.body[0], { head_commit_sha: sha, state: 'overflow', real_size: '3000+' });
      const version = await owner.get(`${url}/versions/${versions.body[0].id}`);
      t.like(version, { status: 200, body: { state: 'overflow', diffs: [] } });
      t.is(version.body.commits.length, 2);

      const merged = await merge(request, { sha });
      t.like(merged, { status: 200, body: { state: 'merged' } });
      await app.work();
      t.is((await read(request)).changes_count, '3000+');
      const file = await owner.get(`/projects/${project.id}/repository/files/evil.txt/raw?ref=main`);
      t.like(file, { status: 200, text: 'evil\n' });
    },
  );
}

test.serial(
  'a merge request of a bomb is made, and what else reads its commit says that it is too large',
  async (t) => {
    t.timeout(600_000);
    const { project, owner, path, repository, push } = await approved(t);
    const sha = await push(wideTree(repository), { 'evil.txt': 'evil\n' }, { branch: 'bomb' });
    const response = await owner.post(path, { source_branch: 'bomb', target_branch: 'main', title: 'Boom' });
    t.like(response, { status: 201, body: { sha, changes_count: '3000+' } });

    const url = `/projects/${project.id}/repository`;
    t.is((await owner.get(`${url}/commits/${sha}/diff`)).status, 413);
    const commit = await owner.get(`${url}/commits/${sha}`);
    t.like(commit, { status: 200, body: { id: sha } });
    t.false('stats' in commit.body, 'nobody can count');
    const listed = await owner.get(`${url}/commits?ref_name=${sha}&with_stats=true`);
    t.is(listed.status, 200);
    t.false('stats' in listed.body[0]);
    t.deepEqual(listed.body[1].stats, { additions: 3, deletions: 0, total: 3 }, 'others are counted');
    const compared = await owner.get(`${url}/compare?from=main&to=${sha}`);
    t.like(compared, { status: 200, body: { diffs: [], compare_timeout: true } });
    t.is(compared.body.commits.length, 2);
    const tree = await owner.get(`${url}/tree?recursive=true&ref=${sha}&per_page=20`);
    t.like(tree, { status: 200 });
    t.is(tree.body.length, 20);
    t.is((await owner.get(`${url}/archive.tar.gz?sha=${sha}`)).status, 413);
    t.is((await owner.get(`${url}/files/evil.txt?ref=${sha}`)).status, 200);
    // A file that is new may have been renamed: git looks for it among all others.
    t.is((await owner.get(`${url}/files/evil.txt/blame?ref=${sha}`)).status, 413);
    const picked = await owner.post(`${url}/commits/${sha}/cherry_pick`, { branch: 'main', dry_run: true });
    t.true([200, 413].includes(picked.status), String(picked.status));
  },
);

test.serial(
  'bombs on both sides that differ everywhere cannot be merged, with the reason, and nothing fails',
  async (t) => {
    t.timeout(600_000);
    const { project, owner, path, repository, request, push, merge, read, head } = await approved(t);
    await push(wideTree(repository, { content: 'ours\n' }), {}, { branch: 'main', on: head() as string });
    await push(wideTree(repository, { content: 'theirs\n' }), { 'evil.txt': 'evil\n' });
    await app.work();
    const found = await read(request);
    t.like(found, { detailed_merge_status: 'conflict', merge_status: 'cannot_be_merged' });
    t.regex(found.merge_error, /too many, or lie too deep/);
    const merged = await merge(request);
    t.is(merged.status, 422);
    t.regex(merged.body.message, /too many, or lie too deep/);
    t.is((await owner.get(`${path}/${request.iid}/merge_ref`)).status, 413);
    t.is((await owner.put(`${path}/${request.iid}/rebase`)).status, 202);
    await app.work();
    const rebased = await read(request, '?include_rebase_in_progress=true');
    t.like(rebased, { rebase_in_progress: false });
    t.truthy(rebased.merge_error);
    t.is((await owner.get(`/projects/${project.id}/repository/branches`)).status, 200);
  },
);
