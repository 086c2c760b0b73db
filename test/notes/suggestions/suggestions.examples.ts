import type { AreaExamples } from '../../core/area-examples.js';
import type { Sandbox } from '../../core/sandbox.js';
import { changedFile, positionOn } from '../diff-notes/diff-steps.js';

/** A suggestion on a merge request of a project of its own. */
async function getSuggestion({ app, people }: Sandbox): Promise<number> {
  const { as, refs, discussions } = await changedFile(app, { owner: people.author });
  const position = positionOn(await refs(), { new_line: 10 });
  const { body } = await as.post(discussions, { body: '```suggestion\nbetter\n```', position });
  return body.notes[0].suggestions[0].id;
}

const notAudited = 'everyday work, which commit and thread tell by themselves';

export default {
  records: { '/suggestions/:id': getSuggestion },
  requests: {
    'PUT /suggestions/:id/apply': { unused: getSuggestion, caller: ({ people }) => people.author, notAudited },
    'PUT /suggestions/batch_apply': {
      params: { ids: async (sandbox: Sandbox) => [await getSuggestion(sandbox)] },
      caller: ({ people }) => people.author,
      namesOthers: 'the suggestions of its description are not there',
      notAudited,
    },
  },
} satisfies AreaExamples;
