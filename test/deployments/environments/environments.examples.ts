import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { environmentSerializer } from '../../../shared/deployments/environments/environment.serializer.js';
import type { AreaExamples, GraphqlPair } from '../../core/area-examples.js';

/** Of the time of the walks, with which all began. */
const LONG_AGO = new Date(Date.now() - 30 * 86_400_000).toISOString();

const whenRemoved = 'it is told of each environment once that is removed';

/** Where the types differ from the serializers that say the same in REST, on purpose. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'Environment',
    serializer: environmentSerializer as Serializer<never>,
    restOnly: ['auto_stop_setting', 'kubernetes_namespace', 'flux_resource_path', 'description_html'],
    graphqlOnly: [
      'environmentType',
      'path',
      'lastDeployment',
      'deployments',
      'userPermissions',
      'protectedEnvironments',
    ],
  },
];

export default {
  records: {
    '/projects/:id/environments/:environment_id': async (sandbox, { id }) =>
      (await sandbox.post(`/projects/${id}/environments`, { name: `env-${sandbox.unique()}` })).id,
  },
  requests: {
    'POST /projects/:id/environments': { params: { name: (sandbox) => `env-${sandbox.unique()}` } },
    'PUT /projects/:id/environments/:environment_id': { params: { description: () => 'words' } },
    'DELETE /projects/:id/environments/:environment_id': {
      ready: (sandbox, { id, environment_id: environment }) =>
        sandbox.post(`/projects/${id}/environments/${environment}/stop`, {}),
    },
    'DELETE /projects/:id/environments/review_apps': { notAudited: whenRemoved, notPublished: whenRemoved },
    'POST /projects/:id/environments/stop_stale': { params: { before: () => LONG_AGO } },
  },
  graphql: {
    added: ['Project.environment', 'Project.environments'],
    pairs,
    fill: async ({ app, admin, project }) => {
      await app.as(admin).post(`/projects/${project.id}/environments`, {
        name: 'review/app',
        description: 'words',
        external_url: 'https://app.example.com',
        auto_stop_at: '2040-01-01T00:00:00Z',
      });
    },
    // Others, which other areas make, have less.
    arguments: {
      'Project.environment': '(name: "review/app")',
      'Project.environments': '(name: "review/app")',
    },
  },
} satisfies AreaExamples;
