import type { AreaExamples } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';
import { fileAt, publish } from './publish.js';
import type { Published } from './publish.js';

async function published(
  sandbox: Sandbox,
  id: string,
  options: Published,
): Promise<{ id: number; package_id: number }> {
  const as = sandbox.app.as(sandbox.people.author);
  const { body } = await publish(as, id, { ...options, query: '?select=package_file' });
  return body;
}

const newest = (sandbox: Sandbox) => `file-${sandbox.unique()}.txt`;

export default {
  records: {
    '/projects/:id/packages/:package_id': async (sandbox, { id = '' }) =>
      (await published(sandbox, id, { name: `package-${sandbox.unique()}` })).package_id,
    '/projects/:id/packages/:package_id/package_files/:package_file_id': async (sandbox, { id = '', package_id }) => {
      const { body } = await sandbox.app.as(sandbox.people.author).get(`/projects/${id}/packages/${package_id}`);
      return (await published(sandbox, id, { name: body.name, version: body.version, file: newest(sandbox) })).id;
    },
    '/projects/:id/packages/generic/:package_name': (sandbox) => `generic-${sandbox.unique()}`,
    '/projects/:id/packages/generic/:package_name/:package_version': () => '1.0.0',
    '/projects/:id/packages/generic/:package_name/:package_version/:file_name': async (sandbox, path) => {
      const { id = '', package_name: name = '', package_version: version = '' } = path;
      const file = newest(sandbox);
      await published(sandbox, id, { name, version, file });
      return file;
    },
  },
  requests: {
    [`GET ${fileAt(':id', { name: ':package_name', version: ':package_version', file: ':file_name' })}`]: {
      ownForm: 'a stream, which holds next to nothing',
    },
  },
} satisfies AreaExamples;
