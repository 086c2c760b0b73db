import type { AreaExamples, RecordExample, RequestExample } from '../../core/area-examples.js';

type Owners = 'users' | 'groups' | 'projects';
const OWNERS: readonly Owners[] = ['users', 'groups', 'projects'];

const getAttribute =
  (owners: Owners): RecordExample =>
  async ({ app, people, unique }, { id }) => {
    const key = `key-${unique()}`;
    await app.as(people.admin).put(`/${owners}/${id}/custom_attributes/${key}`, { value: 'a' });
    return key;
  };

const why = 'notes of administrators, on which no right depends';

/** Only administrators may use custom attributes: other callers get 403, or the project or group is not found. */
function getRequests(owners: Owners): [string, RequestExample][] {
  const path = `/${owners}/:id/custom_attributes`;
  const read = { anonymousStatus: owners === 'users' ? 403 : 404 } as const;
  const write = { anonymousStatus: 401, notAudited: why, notPublished: why } as const;
  return [
    [`GET ${path}`, read],
    [`GET ${path}/:key`, read],
    [`PUT ${path}/:key`, write],
    [`DELETE ${path}/:key`, write],
  ];
}

export default {
  needs: [{ path: /\/custom_attributes(\/|$)/, offerings: ['self-managed', 'dedicated'] }],
  records: Object.fromEntries(OWNERS.map((owners) => [`/${owners}/:id/custom_attributes/:key`, getAttribute(owners)])),
  requests: Object.fromEntries(OWNERS.flatMap(getRequests)),
  graphql: {
    fill: async ({ app, admin, user, group, project }) => {
      for (const owner of [`users/${user.id}`, `groups/${group.id}`, `projects/${project.id}`])
        await app.as(admin).put(`/${owner}/custom_attributes/place`, { value: owner });
    },
  },
} satisfies AreaExamples;
