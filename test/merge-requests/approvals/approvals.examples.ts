import type { AreaExamples } from '../../core/area-examples.js';

const REQUEST = '/projects/:id/merge_requests/:merge_request_iid';

export default {
  needs: [
    { path: /\/merge_requests\/[^/]+\/reset_approvals$/, plan: 'premium' },
    { path: /\/approval_(state|rules)(\/|$)/, plan: 'premium' },
    { path: /^\/projects\/[^/]+\/approvals$/, plan: 'premium' },
  ],
  records: {
    // A rule has the same id as its owner.
    '/projects/:id/approval_rules/:approval_rule_id': (_world, { id }) => Promise.resolve(Number(id)),
    [`${REQUEST}/approval_rules/:approval_rule_id`]: async ({ app, people }, { id, merge_request_iid: iid }) =>
      (await app.as(people.admin).get(`/projects/${id}/merge_requests/${iid}`)).body.id,
  },
} satisfies AreaExamples;
