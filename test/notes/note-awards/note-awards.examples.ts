import type { AreaExamples } from '../../core/area-examples.js';

const AWARDS = '/projects/:id/issues/:issue_iid/notes/:note_id/award_emoji';

export default {
  records: {
    // Each by somebody else: one user gives one emoji once.
    [`${AWARDS}/:award_id`]: async ({ app, project }, { id, issue_iid: iid, note_id: note }) => {
      const giver = await app.build.member(project, 'guest');
      const path = `/projects/${id}/issues/${iid}/notes/${note}/award_emoji`;
      return (await app.as(giver).post(path, { name: 'rocket' })).body.id;
    },
  },
  requests: {
    [`DELETE ${AWARDS}/:award_id`]: { caller: (world) => world.people.admin },
    [`POST ${AWARDS}`]: { params: { name: () => 'thumbsup' } },
  },
} satisfies AreaExamples;
