import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import type { TestApp } from '../../core/app.js';
import type { Answer } from '../../core/client.js';
import type { BuiltUser } from '../../core/builders.js';
import { plainGit } from '../../git/git-fixture.js';
import { commitTo, mergeRequestIn } from '../merge-request-steps.js';
import type { At, CreatedMergeRequest } from '../merge-request-steps.js';

/** A project with settings, and what its owner does with merge requests there. */
export async function mergingIn(app: TestApp, settings: Record<string, unknown> = {}, existingProject?: At) {
  const project = existingProject ?? (await app.build.project());
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}/merge_requests`;
  if (Object.keys(settings).length > 0) {
    const { status, text } = await owner.put(`/projects/${project.id}`, settings);
    if (status !== 200) throw new Error(text);
  }
  const git = (...args: string[]) => plainGit(getRepositoryPath(app.context(), project), args).trim();
  return {
    project,
    path,
    /** With a branch of one commit, or these. */
    async make(values: Record<string, unknown> = {}, messages: readonly string[] = []): Promise<CreatedMergeRequest> {
      if (messages.length === 0) return mergeRequestIn(app, project, values);
      const branch = `story-${Math.random().toString(36).slice(2)}`;
      for (const [index, message] of messages.entries())
        await commitTo(app, project, branch, index === 0 ? 'main' : undefined, { message });
      return mergeRequestIn(app, project, { ...values, source_branch: branch });
    },
    read: async ({ iid }: { iid: number }, query = ''): Promise<Answer['body']> =>
      (await owner.get(`${path}/${iid}${query}`)).body,
    edit: ({ iid }: { iid: number }, values: object) => owner.put(`${path}/${iid}`, values),
    merge: ({ iid }: { iid: number }, values: object = {}, as?: BuiltUser) =>
      (as ? app.as(as) : owner).put(`${path}/${iid}/merge`, values),
    rebase: ({ iid }: { iid: number }, as?: BuiltUser) => (as ? app.as(as) : owner).put(`${path}/${iid}/rebase`),
    commit: (branch: string, start?: string, more: Parameters<typeof commitTo>[4] = {}) =>
      commitTo(app, project, branch, start, more),
    /** The commit of a branch; null where there is none. */
    head: (branch = 'main') => git('for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`) || null,
    message: (sha: string) => git('log', '-1', '--format=%B', sha),
    parents: (sha: string) => git('log', '-1', '--format=%P', sha).split(' '),
    git,
    /** Reports what became of a commit, as an executor does. */
    async status(sha: string, state: string, ref?: string) {
      const answer = await owner.post(`/projects/${project.id}/statuses/${sha}`, { state, ...(ref && { ref }) });
      if (answer.status !== 201) throw new Error(answer.text);
    },
    owner,
  };
}
