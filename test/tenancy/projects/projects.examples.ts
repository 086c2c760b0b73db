import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { settingEntries } from '../../../shared/tenancy/namespaces/declared-settings.js';
import { declaredSettings } from '../../../shared/tenancy/projects/declared-settings.js';
import { fullProject } from '../../../shared/tenancy/project-details/project.serializer.js';
import { sql } from 'kysely';
import type { AreaExamples, GraphqlPair } from '../../core/area-examples.js';

/** Where the types differ from the serializers that say the same in REST, on purpose. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'Project',
    serializer: fullProject as Serializer<never>,
    renamed: {
      path_with_namespace: 'fullPath',
      name_with_namespace: 'nameWithNamespace',
      ssh_url_to_repo: 'sshUrlToRepo',
      http_url_to_repo: 'httpUrlToRepo',
      forked_from_project: 'forkedFrom',
    },
    restOnly: [
      // In `repository`.
      'default_branch',
      'empty_repo',
      // Deprecated in GraphQL.
      'tag_list',
      '_links',
      'creator_id',
      'marked_for_deletion_at',
      'readme_url',
      'license_url',
      'license',
      'container_registry_image_prefix',
      'import_status',
      'owner',
      'repository_object_format',
      'service_desk_address',
      'repository_storage',
      'shared_with_groups',
      // Settings are for REST.
      'packages_enabled',
      'security_and_compliance_enabled',
      'can_create_merge_request_in',
      'requirements_enabled',
      'emails_disabled',
      'restrict_user_defined_variables',
      'import_url',
      'import_type',
      'import_error',
      'runners_token',
      ...settingEntries(declaredSettings)
        .filter(([, { options }]) => options.graphql === undefined && options.visibleTo !== 'nobody')
        .map(([name]) => name),
      'container_expiration_policy',
    ],
    graphqlOnly: ['maxAccessLevel', 'group', 'repository', 'userPermissions', 'isForked', 'languages'],
  },
];

export default {
  records: {
    '/projects/:id': ({ project }) => project.id,
  },
  requests: {
    'GET /projects/:id/avatar': { ownForm: 'a picture, whose size is bounded when it is stored' },
  },
  graphql: {
    pairs,
    fill: ({ app, project }) =>
      app.context().query(sql`update projects set description = 'words' where id = ${project.id}`),
  },
} satisfies AreaExamples;
