import type { TestApp } from '../core/app.js';
import type { BuiltUser } from '../core/builders.js';

/** A project with the acting user. */
export interface At {
  readonly id: number;
  readonly owner: BuiltUser;
}

let files = 0;

/** Commits a new file to a branch, which is created from `start` if it does not exist. @returns the commit's sha */
export async function commitTo(
  app: TestApp,
  { id, owner }: At,
  branch: string,
  start?: string,
  { message = 'Add a file', path = `file-${(files += 1)}.txt`, content = 'a\nb\nc\n' } = {},
): Promise<string> {
  const { status, body } = await app.as(owner).post(`/projects/${id}/repository/commits`, {
    branch,
    commit_message: message,
    actions: [{ action: 'create', file_path: path, content }],
    ...(start === undefined ? {} : { start_branch: start }),
  });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.id as string;
}

export interface CreatedMergeRequest {
  id: number;
  iid: number;
  sha: string;
  [key: string]: unknown;
}

let branches = 0;

/** A merge request of a new branch with one commit, created by the project's owner by default. */
export async function mergeRequestIn(
  app: TestApp,
  at: At,
  attributes: Record<string, unknown> = {},
  as = at.owner,
): Promise<CreatedMergeRequest> {
  branches += 1;
  const source_branch = (attributes.source_branch as string | undefined) ?? `feature-${branches}`;
  if (attributes.source_branch === undefined) await commitTo(app, at, source_branch, 'main');
  const { status, body } = await app.as(as).post(`/projects/${at.id}/merge_requests`, {
    target_branch: 'main',
    title: 'Engine',
    ...attributes,
    source_branch,
  });
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as CreatedMergeRequest;
}
