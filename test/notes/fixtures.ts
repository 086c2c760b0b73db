import type { useApp } from '../core/app.js';
import type { BuiltUser } from '../core/builders.js';

type App = ReturnType<typeof useApp>;

/** A project with an issue by its owner, and where its notes and threads are. */
export async function issueFixture(
  app: App,
  {
    visibility = 'public',
    owner,
    ...attributes
  }: { visibility?: string; owner?: BuiltUser; [name: string]: unknown } = {},
) {
  const project = await app.build.project({ visibility, ...(owner ? { owner } : {}) } as never);
  const as = app.as(project.owner);
  const { body: issue } = await as.post(`/projects/${project.id}/issues`, { title: 'An issue', ...attributes });
  const path = `/projects/${project.id}/issues/${issue.iid}`;
  return { project, owner: project.owner, as, issue, path, notes: `${path}/notes`, discussions: `${path}/discussions` };
}

export const ids = (records: readonly { id: number | string }[]) => records.map(({ id }) => id);
