import type { TestApp } from '../../core/app.js';
import { commitTo, mergeRequestIn } from '../../merge-requests/merge-request-steps.js';
import type { At } from '../../merge-requests/merge-request-steps.js';

export const numbered = (count: number, prefix = 'line') =>
  Array.from({ length: count }, (_none, index) => `${prefix} ${index + 1}\n`);

let branches = 0;

/** A merge request that changes line 10 of a file of 20 lines, adds one behind line 15, and removes line 18. */
export async function changedFile(app: TestApp, attributes: Record<string, unknown> = {}, lines = numbered(20)) {
  const project = await app.build.project({ visibility: 'public', ...attributes } as never);
  const as = app.as(project.owner);
  await commitTo(app, project, 'main', undefined, { path: 'code.txt', content: lines.join('') });
  branches += 1;
  const branch = `change-${branches}`;
  const before = lines.with(9, 'changed\n');
  const after = [...before.slice(0, 15), 'added\n', ...before.slice(15)].filter((line) => line !== 'line 18\n');
  await as.post(`/projects/${project.id}/repository/branches`, { branch, ref: 'main' });
  await update(app, project, branch, after.join(''));
  const mergeRequest = await mergeRequestIn(app, project, { source_branch: branch });
  const path = `/projects/${project.id}/merge_requests/${mergeRequest.iid}`;
  const refs = async () => (await as.get(path)).body.diff_refs as Record<string, string>;
  return {
    project,
    as,
    branch,
    path,
    iid: mergeRequest.iid,
    id: mergeRequest.id,
    after,
    refs,
    discussions: `${path}/discussions`,
  };
}

/** Commits new content of the file. @returns the commit's sha */
export async function update(app: TestApp, { id, owner }: At, branch: string, content: string, file_path = 'code.txt') {
  const actions = [{ action: 'update', file_path, content }];
  const path = `/projects/${id}/repository/commits`;
  const { status, text, body } = await app.as(owner).post(path, { branch, commit_message: 'Edit', actions });
  if (status !== 201) throw new Error(text);
  return body.id as string;
}

/** The position for a thread on the file. */
export const positionOn = (refs: Record<string, string>, lines: Record<string, unknown>) => ({
  ...refs,
  position_type: 'text',
  old_path: 'code.txt',
  new_path: 'code.txt',
  ...lines,
});
