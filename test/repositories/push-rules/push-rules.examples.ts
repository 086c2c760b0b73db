import type { AreaExamples, RequestExample } from '../../core/area-examples.js';

/** A container has one at most: the request that needs it, or makes it, comes to a container that is so. */
const requests = (kind: 'projects' | 'groups'): Record<string, RequestExample> => {
  const path = `/${kind}/:id/push_rule`;
  const make: RequestExample['ready'] = ({ app, people }, { id }) =>
    app.as(people.author).post(`/${kind}/${id}/push_rule`, {});
  const unmake: RequestExample['ready'] = ({ app, people }, { id }) =>
    app.as(people.author).delete(`/${kind}/${id}/push_rule`);
  return {
    [`GET ${path}`]: { ready: make },
    [`POST ${path}`]: { ready: unmake },
    [`PUT ${path}`]: { ready: make, params: { member_check: () => true }, edit: { member_check: true } },
    [`DELETE ${path}`]: { ready: make },
  };
};

export default {
  needs: [{ path: /\/push_rule$/, plan: 'premium' }],
  requests: { ...requests('projects'), ...requests('groups') },
  graphql: {
    added: ['Project.pushRules'],
    fill: ({ app, user, project }) =>
      app.as(user).post(`/projects/${project.id}/push_rule`, { commit_message_regex: '^[A-Z]' }),
    alone: ['PushRules'],
  },
} satisfies AreaExamples;
