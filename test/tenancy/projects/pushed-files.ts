import type { ProjectRecord } from '../../../shared/tenancy/projects/project.entity.js';
import { createRequire } from 'node:module';
import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

const require = createRequire(import.meta.url);

export type Built = ProjectRecord & { owner: BuiltUser };

/** The text of a license by its SPDX identifier. */
export const licenseText = (id: string) =>
  (require(`spdx-license-list/licenses/${id}.json`) as { licenseText: string }).licenseText;

/** Commits files to the default branch and lets the jobs run; null removes one. */
export async function pushFiles(app: TestApp, project: Built, files: Record<string, string | null>): Promise<void> {
  const actions = Object.entries(files).map(([file_path, content]) =>
    content === null ? { action: 'delete', file_path } : { action: 'create', file_path, content },
  );
  const { status, text } = await app
    .as(project.owner)
    .post(`/projects/${project.id}/repository/commits`, { branch: 'main', commit_message: 'Change', actions });
  if (status !== 201) throw new Error(text);
  await app.work();
}
