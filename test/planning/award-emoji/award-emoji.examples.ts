import type { AreaExamples } from '../../core/area-examples.js';

const AWARDS = '/projects/:id/issues/:issue_iid/award_emoji';

export default {
  records: {
    // Each by a different user: a user can award each emoji only once.
    [`${AWARDS}/:award_id`]: async ({ app, project }, { id, issue_iid: iid }) => {
      const giver = await app.build.member(project, 'guest');
      return (await app.as(giver).post(`/projects/${id}/issues/${iid}/award_emoji`, { name: 'rocket' })).body.id;
    },
  },
  requests: {
    [`DELETE ${AWARDS}/:award_id`]: { caller: (sandbox) => sandbox.people.admin },
    [`POST ${AWARDS}`]: { params: { name: () => 'thumbsup' } },
  },
} satisfies AreaExamples;
