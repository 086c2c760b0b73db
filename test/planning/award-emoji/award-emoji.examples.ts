import type { AreaExamples } from '../../core/area-examples.js';

const AWARDS = '/projects/:id/issues/:issue_iid/award_emoji';

export default {
  records: {
    [`${AWARDS}/:award_id`]: async (world, { id, issue_iid: iid }) =>
      (await world.post(`/projects/${id}/issues/${iid}/award_emoji`, { name: 'rocket' })).id,
  },
  requests: {
    [`DELETE ${AWARDS}/:award_id`]: { caller: (world) => world.people.author },
    [`POST ${AWARDS}`]: { params: { name: () => 'thumbsup' } },
  },
} satisfies AreaExamples;
