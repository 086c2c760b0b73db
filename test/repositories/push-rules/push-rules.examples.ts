import type { AreaExamples, RequestExample } from '../../core/area-examples.js';

const ruled = (kind: 'projects' | 'groups'): RequestExample => ({
  ready: ({ app, people }, { id }) => app.as(people.admin).put(`/${kind}/${id}/push_rule`, { member_check: true }),
});

const change: RequestExample = { edit: { commit_message_regex: '^Fix' } };

export default {
  requests: {
    'GET /projects/:id/push_rule': ruled('projects'),
    'GET /groups/:id/push_rule': ruled('groups'),
    'PUT /projects/:id/push_rule': change,
    'PUT /groups/:id/push_rule': change,
  },
} satisfies AreaExamples;
