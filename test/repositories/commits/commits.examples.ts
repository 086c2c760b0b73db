import type { AreaExamples } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import { plainGit } from '../../git/git-fixture.js';

/** The commit at the head of the branches, with a signature. */
async function signedCommit(sandbox: Sandbox): Promise<string> {
  const repository = getRepositoryPath(sandbox.app.context(), sandbox.project);
  const [head = '', ...message] = plainGit(repository, ['cat-file', 'commit', await sandbox.sha()]).split('\n\n');
  const signature = 'gpgsig -----BEGIN SSH SIGNATURE-----\n U1NIU0lH\n -----END SSH SIGNATURE-----';
  const text = `${head}\n${signature}\n\n${message.join('\n\n')}`;
  return plainGit(repository, ['hash-object', '-t', 'commit', '-w', '--stdin'], text).trim();
}

/** A branch of its own with the commit that is picked. */
async function getBranch(sandbox: Sandbox): Promise<string> {
  const branch = `pick-${sandbox.unique()}`;
  await sandbox.post(`/projects/${sandbox.project.id}/repository/branches`, { branch, ref: await sandbox.sha() });
  return branch;
}

/** The same, with the commit's changes reverted. */
async function branchWithout(sandbox: Sandbox): Promise<string> {
  const branch = await getBranch(sandbox);
  const sha = await sandbox.sha();
  await sandbox.post(`/projects/${sandbox.project.id}/repository/commits/${sha}/revert`, { branch });
  return branch;
}

export default {
  records: {
    '/projects/:id/repository/commits/:sha': signedCommit,
  },
  requests: {
    // Commits are not counted (delivery-resources.md section 6).
    'GET /projects/:id/repository/commits': { uncounted: true },
    'POST /projects/:id/repository/commits/:sha/cherry_pick': { params: { branch: branchWithout } },
    'POST /projects/:id/repository/commits/:sha/revert': { params: { branch: getBranch } },
    'POST /projects/:id/repository/commits': {
      params: { actions: ({ unique }) => [{ action: 'create', file_path: `new-${unique()}.txt`, content: 'a' }] },
    },
  },
} satisfies AreaExamples;
