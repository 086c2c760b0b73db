import type { AreaExamples } from '../../core/area-examples.js';
import type { World } from '../../core/world.js';
import { fileAt, publish } from './publish.js';
import type { Published } from './publish.js';

async function published(world: World, id: string, options: Published): Promise<{ id: number; package_id: number }> {
  const as = world.app.as(world.people.author);
  const { body } = await publish(as, id, { ...options, query: '?select=package_file' });
  return body;
}

const newest = (world: World) => `file-${world.unique()}.txt`;

export default {
  records: {
    '/projects/:id/packages/:package_id': async (world, { id = '' }) =>
      (await published(world, id, { name: `package-${world.unique()}` })).package_id,
    '/projects/:id/packages/:package_id/package_files/:package_file_id': async (world, { id = '', package_id }) => {
      const { body } = await world.app.as(world.people.author).get(`/projects/${id}/packages/${package_id}`);
      return (await published(world, id, { name: body.name, version: body.version, file: newest(world) })).id;
    },
    '/projects/:id/packages/generic/:package_name': (world) => `generic-${world.unique()}`,
    '/projects/:id/packages/generic/:package_name/:package_version': () => '1.0.0',
    '/projects/:id/packages/generic/:package_name/:package_version/:file_name': async (world, path) => {
      const { id = '', package_name: name = '', package_version: version = '' } = path;
      const file = newest(world);
      await published(world, id, { name, version, file });
      return file;
    },
  },
  requests: {
    [`GET ${fileAt(':id', { name: ':package_name', version: ':package_version', file: ':file_name' })}`]: {
      ownForm: 'a stream, which holds next to nothing',
    },
  },
} satisfies AreaExamples;
