import type { Shape } from '../../../shared/core/shape.js';
import { groupShape } from '../../../shared/tenancy/groups/group.shape.js';
import type { AreaExamples, GraphqlPair } from '../../core/area-examples.js';

/** Where the types differ from the shapes that say the same in REST, on purpose. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'Group',
    shape: groupShape as Shape<never>,
    renamed: { parent_id: 'parent' },
    restOnly: [
      'share_with_group_lock',
      'require_two_factor_authentication',
      'two_factor_grace_period',
      'project_creation_level',
      'auto_devops_enabled',
      'subgroup_creation_level',
      'emails_disabled',
      'emails_enabled',
      'mentions_disabled',
      'lfs_enabled',
      'default_branch',
      'default_branch_protection',
      'default_branch_protection_defaults',
      'organization_id',
      'shared_runners_setting',
      'max_artifacts_size',
      'statistics',
    ],
    graphqlOnly: ['descriptionHtml', 'projects', 'descendantGroups', 'groupMembers', 'userPermissions', 'updatedAt'],
  },
];

export default {
  records: {
    '/groups/:id': async (world) => (await world.group()).id,
  },
  requests: {
    'GET /groups/:id/avatar': { ownForm: 'a picture, whose size is bounded when it is stored' },
    'PUT /groups/:id': { edit: { membership_lock: true } },
    'POST /groups/:id/restore': { ready: ({ app, people }, { id }) => app.as(people.author).delete(`/groups/${id}`) },
    'POST /groups/:id/transfer': { params: { group_id: async (world) => (await world.otherGroup()).id } },
    'POST /groups/:id/unarchive': {
      ready: ({ app, people }, { id }) => app.as(people.author).post(`/groups/${id}/archive`),
    },
  },
  graphql: { pairs },
} satisfies AreaExamples;
