import type { BuiltUser } from '../core/builders.js';
import type { Client } from '../core/client.js';
import type { TestApp } from '../core/app.js';

/** A project with its owner's client and the head commit of `main`. */
export interface DeployingProject {
  project: { id: number; full_path: string; visibility: string; owner: BuiltUser };
  owner: Client;
  path: string;
  sha: string;
  deploy: (attributes?: Record<string, unknown>) => ReturnType<Client['post']>;
}

/** A project with one commit, and how something is deployed from it. */
export async function deployingProject(
  app: TestApp,
  attributes: { visibility?: string } = {},
): Promise<DeployingProject> {
  const project = await app.build.project(attributes);
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  const { body } = await owner.get(`${path}/repository/branches/main`);
  const sha = body.commit.id as string;
  const deploy: DeployingProject['deploy'] = (more = {}) =>
    owner.post(`${path}/deployments`, {
      environment: 'production',
      ref: 'main',
      sha,
      tag: false,
      status: 'success',
      ...more,
    });
  return { project, owner, path, sha, deploy };
}

/** Adds a commit to `main`. @returns its id */
export async function commitTo(
  { owner, path }: Pick<DeployingProject, 'owner' | 'path'>,
  file = `file-${Math.random()}`,
  branch = 'main',
): Promise<string> {
  const { body } = await owner.post(`${path}/repository/commits`, {
    branch,
    commit_message: `Add ${file}`,
    actions: [{ action: 'create', file_path: file, content: file }],
  });
  return body.id as string;
}
