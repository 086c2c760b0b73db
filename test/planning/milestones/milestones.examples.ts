import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { milestoneSerializer } from '../../../shared/planning/milestones/milestone.serializer.js';
import { intoGroup } from '../containers.js';
import type { AreaExamples, GraphqlPair, RecordExample } from '../../core/area-examples.js';

const getMilestone =
  (container: 'projects' | 'groups'): RecordExample =>
  async (sandbox, { id }) =>
    (await sandbox.post(`/${container}/${id}/milestones`, { title: `Milestone ${sandbox.unique()}` })).id;

const change = { description: () => 'words' };

/** Where the types differ from the serializers that say the same in REST, on purpose. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'Milestone',
    serializer: milestoneSerializer as Serializer<never>,
    renamed: { web_url: 'webPath' },
    restOnly: ['project_id', 'group_id'],
    graphqlOnly: ['upcoming', 'projectMilestone', 'groupMilestone'],
  },
];

export default {
  records: {
    '/groups/:id/milestones/:milestone_id': getMilestone('groups'),
    '/projects/:id/milestones/:milestone_id': getMilestone('projects'),
  },
  requests: {
    'PUT /projects/:id/milestones/:milestone_id': { params: change },
    'PUT /groups/:id/milestones/:milestone_id': { params: change },
    // Only what lies in a group can be promoted.
    'POST /projects/:id/milestones/:milestone_id/promote': { ready: intoGroup },
  },
  graphql: {
    added: ['Project.milestones'],
    pairs,
    fill: async ({ app, admin, group, project, index }) => {
      const attributes = { description: 'words', start_date: '2030-01-01', due_date: '2030-02-01' };
      const as = app.as(admin);
      await as.post(`/groups/${group.id}/milestones`, { title: `of group ${index}`, ...attributes });
      await as.post(`/projects/${project.id}/milestones`, { title: `own ${index}`, ...attributes });
    },
  },
} satisfies AreaExamples;
