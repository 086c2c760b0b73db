import { settingEntries } from '../../../shared/tenancy/namespaces/declared-settings.js';
import { declaredGroupSettings } from '../../../shared/tenancy/groups/declared-group-settings.js';
import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { groupSerializer } from '../../../shared/tenancy/group-details/group.serializer.js';
import type { AreaExamples, GraphqlPair } from '../../core/area-examples.js';

/** Where the types differ from the serializers that say the same in REST, on purpose. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'Group',
    serializer: groupSerializer as Serializer<never>,
    renamed: { parent_id: 'parent' },
    restOnly: [
      ...settingEntries(declaredGroupSettings)
        .filter(([, { options }]) => options.graphql === undefined && options.visibleTo !== 'nobody')
        .map(([name]) => name),
      'emails_disabled',
      'default_branch_protection',
      'default_branch_protection_defaults',
      'organization_id',
      'statistics',
    ],
    graphqlOnly: [
      'descriptionHtml',
      'projects',
      'descendantGroups',
      'groupMembers',
      'epic',
      'epics',
      'issues',
      'labels',
      'mergeRequests',
      'milestones',
      'dora',
      'userPermissions',
      'updatedAt',
    ],
  },
];

export default {
  records: {
    '/groups/:id': async (sandbox) => (await sandbox.group()).id,
  },
  requests: {
    'GET /groups/:id/avatar': { ownForm: 'a picture, whose size is bounded when it is stored' },
    'PUT /groups/:id': { edit: { membership_lock: true } },
    'POST /groups/:id/restore': { ready: ({ app, people }, { id }) => app.as(people.author).delete(`/groups/${id}`) },
    'POST /groups/:id/transfer': { params: { group_id: async (sandbox) => (await sandbox.otherGroup()).id } },
    'POST /groups/:id/unarchive': {
      ready: ({ app, people }, { id }) => app.as(people.author).post(`/groups/${id}/archive`),
    },
  },
  graphql: { pairs },
} satisfies AreaExamples;
