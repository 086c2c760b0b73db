import type { Serializer } from '../../../shared/core/operations/serializer.js';
import { projectLabelSerializer } from '../../../shared/planning/labels/label.serializer.js';
import { intoGroup } from '../containers.js';
import type { AreaExamples, GraphqlPair, RecordExample } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';

type Container = 'projects' | 'groups';

const make = (sandbox: Sandbox, container: Container, id: string | undefined) =>
  sandbox.post(`/${container}/${id}/labels`, { name: `label-${sandbox.unique()}`, color: '#dc143c' });

const getLabel =
  (container: Container): RecordExample =>
  async (sandbox, { id }) =>
    (await make(sandbox, container, id)).id;

const change = { color: () => 'navy' };

/** Requests with a parameter for a label of the project or group used by the walk. */
const byName = (container: Container) => ({
  params: {
    name: async (sandbox: Sandbox) => {
      const { id } = container === 'projects' ? sandbox.project : await sandbox.group();
      return (await make(sandbox, container, String(id))).name;
    },
  },
});

/** Where the types differ from the serializers that say the same in REST, on purpose. */
const pairs: readonly GraphqlPair[] = [
  {
    type: 'Label',
    serializer: projectLabelSerializer as Serializer<never>,
    renamed: { name: 'title' },
    restOnly: [
      'open_issues_count',
      'closed_issues_count',
      'open_merge_requests_count',
      'subscribed',
      'priority',
      'is_project_label',
    ],
    graphqlOnly: ['createdAt', 'updatedAt'],
  },
];

export default {
  records: {
    '/groups/:id/labels/:label_id': getLabel('groups'),
    '/projects/:id/labels/:label_id': getLabel('projects'),
  },
  requests: {
    'POST /projects/:id/labels': { params: change },
    'POST /groups/:id/labels': { params: change },
    // Only what lies in a group can be promoted.
    'PUT /projects/:id/labels/:label_id/promote': { ready: intoGroup },
    'PUT /projects/:id/labels/:label_id': { params: change },
    'PUT /groups/:id/labels/:label_id': { params: change },
    'PUT /projects/:id/labels': { params: { ...byName('projects').params, ...change } },
    'PUT /groups/:id/labels': { params: { ...byName('groups').params, ...change } },
    'DELETE /projects/:id/labels': byName('projects'),
    'DELETE /groups/:id/labels': byName('groups'),
    'POST /projects/:id/labels/:label_id/unsubscribe': {
      ready: ({ app, people }, { id, label_id: label }) =>
        app.as(people.guest).post(`/projects/${id}/labels/${label}/subscribe`),
    },
    'POST /groups/:id/labels/:label_id/unsubscribe': {
      ready: ({ app, people }, { id, label_id: label }) =>
        app.as(people.guest).post(`/groups/${id}/labels/${label}/subscribe`),
    },
  },
  graphql: {
    added: ['Project.label', 'Project.labels'],
    pairs,
    fill: async ({ app, admin, group, project, index }) => {
      const as = app.as(admin);
      await as.post(`/groups/${group.id}/labels`, { name: `of group ${index}`, color: 'red', description: 'words' });
      await as.post(`/projects/${project.id}/labels`, { name: `own ${index}`, color: 'red', description: 'words' });
    },
  },
} satisfies AreaExamples;
