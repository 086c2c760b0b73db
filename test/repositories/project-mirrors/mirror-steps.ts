import { execFileSync } from 'node:child_process';
import type { RequestListener } from 'node:http';
import type { ExecutionContext } from 'ava';
import { gitEnvironment } from '../../../shared/git/index.js';
import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { unique } from '../../core/builders.js';
import { commitOn, file } from '../../git/git-fixture.js';
import { remoteRepository, serveGit, webServer } from '../../git/git-remote.js';

export interface Mirrored {
  id: number;
  owner: BuiltUser;
  /** The repository that is followed. */
  repository: string;
}

export const git = (repository: string, ...args: string[]) =>
  execFileSync('git', ['-C', repository, ...args], { env: gitEnvironment() })
    .toString()
    .trim();

/** One more commit on a branch of the repository that is followed. */
export const grow = (repository: string, branch: string) =>
  commitOn(repository, git(repository, 'rev-parse', branch), [file(`new-${unique()}.txt`)], { branch });

/** What tests of mirrors do and look at. */
export function mirrorSteps(app: TestApp) {
  const put = (project: { id: number; owner: BuiltUser }, body: object) =>
    app.as(project.owner).put(`/projects/${project.id}`, body);
  return {
    put,
    status: async ({ id, owner }: Mirrored) => (await app.as(owner).get(`/projects/${id}/mirror/pull`)).body,
    headOf: async ({ id, owner }: Mirrored, name: string) =>
      (await app.as(owner).get(`/projects/${id}/repository/branches/${name}`)).body.commit?.id as string | undefined,
    tagOf: async ({ id, owner }: Mirrored, name: string) =>
      (await app.as(owner).get(`/projects/${id}/repository/tags/${name}`)).body.target as string | undefined,
    pipelinesOf: async ({ id, owner }: Mirrored): Promise<{ id: number; ref: string; sha: string; source: string }[]> =>
      (await app.as(owner).get(`/projects/${id}/pipelines`)).body,

    /**
     * An empty project that follows a repository with branches `trunk` and `side` and the tag `v1`, up to date.
     * @param serve answers instead of git, by the repository
     */
    async mirrored(
      t: ExecutionContext,
      settings: object = {},
      serve: (repository: string) => RequestListener = (repository) => (request, response) =>
        serveGit(repository, request, response),
    ): Promise<Mirrored> {
      const repository = await remoteRepository(t);
      const url = await webServer(t, serve(repository));
      const project = await app.build.project({ empty: true });
      const edited = await put(project, { import_url: url, mirror: true, ...settings });
      t.is(edited.status, 200);
      await app.work();
      return { id: project.id, owner: project.owner, repository };
    },

    /** Requests an update, once that is allowed again, and waits for it. */
    async update({ id, owner }: Mirrored): Promise<void> {
      app.clock.advance('5 minutes');
      await app.as(owner).post(`/projects/${id}/mirror/pull`);
      await app.work();
    },
  };
}
