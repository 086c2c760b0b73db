import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { getRepositoryPath } from '../../shared/repositories/repositories/write-refs.js';
import type { TestApp } from './app.js';

/** Names of what lies where a project's repository is, or is made: the repository itself and drafts of it. */
export async function repositoryFiles(app: TestApp, project: { id: number }): Promise<string[]> {
  const location = getRepositoryPath(app.context(), project);
  const names = await readdir(path.dirname(location)).catch(() => []);
  return names.filter((name) => name.startsWith(path.basename(location)));
}
