import type { TestApp } from '../../core/app.js';
import type { Answer, Client } from '../../core/client.js';

export interface Published {
  name?: string;
  version?: string;
  file?: string;
  query?: string;
  content?: string | Buffer;
}

/** The path of a file below `/api/v4`. */
export const fileAt = (
  projectId: number | string,
  { name = 'rocket', version = '1.0', file = 'a.txt' }: Published = {},
) => `/projects/${projectId}/packages/generic/${name}/${version}/${file}`;

/** Publishes a file; the body is the file itself. */
export const publish = (as: Client, projectId: number | string, options: Published = {}): Promise<Answer> =>
  as.raw(
    'PUT',
    `/api/v4${fileAt(projectId, options)}${options.query ?? ''}`,
    options.content ?? 'some bytes',
    'application/octet-stream',
  );

/** A project with a Developer and a Maintainer, and the clients for its packages. */
export async function getPackageProject(app: TestApp, visibility = 'private') {
  const project = await app.build.project({ visibility, empty: true });
  const [developer, maintainer] = [
    app.as(await app.build.member(project, 'developer')),
    app.as(await app.build.member(project, 'maintainer')),
  ];
  return { project, developer, maintainer, at: `/projects/${project.id}/packages` };
}
