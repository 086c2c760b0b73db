import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { fullPipeline } from '../../../shared/ci/pipelines/pipeline.serializer.js';
import type { AreaExamples, GraphqlPair } from '../../core/area-examples.js';
import { WORK } from '../../core/sandbox.js';

/** Where the types differ from the serializers that say the same in REST, on purpose. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'Pipeline',
    serializer: fullPipeline as Serializer<never>,
    renamed: { project_id: 'project', web_url: 'path' },
    restOnly: [
      'before_sha',
      'committed_at',
      'coverage',
      'archived',
      'tag',
      'kind',
      'failure_reason',
      'pipeline_schedule_id',
    ],
    graphqlOnly: [
      'refPath',
      'active',
      'complete',
      'cancelable',
      'retryable',
      'yamlErrorMessages',
      'warnings',
      'inputs',
    ],
  },
];

export default {
  records: {
    '/projects/:id/pipelines/:pipeline_id': async (sandbox) =>
      (await sandbox.post(`/projects/${sandbox.project.id}/pipeline`, { ref: WORK })).id,
  },
  requests: {
    'GET /projects/:id/pipelines/latest': {
      ready: (sandbox, { id }) => sandbox.post(`/projects/${id}/pipeline`, { ref: 'main' }),
    },
    'PUT /projects/:id/pipelines/:pipeline_id/metadata': { params: { name: () => 'Renamed' } },
  },
  graphql: {
    added: ['Project.pipeline', 'Project.pipelineCounts', 'Project.pipelines'],
    pairs,
    arguments: { 'Project.pipeline': '(iid: "1")' },
  },
} satisfies AreaExamples;
