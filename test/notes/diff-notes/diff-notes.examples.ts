import type { AreaExamples, GraphqlFixture } from '../../core/area-examples.js';

/** Threads on a picture and on lines of a merge request of the project, its last ones, the last note with an emoji. */
async function fill({ app, user, project }: GraphqlFixture): Promise<void> {
  const as = app.as(user);
  const [listed] = (await as.get(`/projects/${project.id}/merge_requests?scope=all&state=opened`)).body;
  if (!listed) return;
  const path = `/projects/${project.id}/merge_requests/${listed.iid}`;
  const { diff_refs: refs } = (await as.get(path)).body;
  const [file] = (await as.get(`${path}/diffs`)).body;
  if (!refs || !file) return;
  const position = { ...refs, old_path: file.old_path, new_path: file.new_path };
  const end = { new_line: 1, type: 'new' };
  const line = { ...position, position_type: 'text', new_line: 1, line_range: { start: end, end } };
  const picture = { ...position, position_type: 'image', width: 10, height: 10, x: 1, y: 1 };
  await as.post(`${path}/discussions`, { body: 'Here', position: picture });
  const { notes } = (await as.post(`${path}/discussions`, { body: 'Here', position: line })).body;
  await as.post(`${path}/notes/${notes[0].id}/award_emoji`, { name: 'thumbsup' });
}

// Notes and threads are listed in creation order.
const request = ['groups(first: $n)', 'nodes', 'mergeRequests(first: 1)', 'nodes'];
const note = [...request, 'notes(last: 1)', 'nodes'];
const ways = {
  'Note.position': note,
  'Note.awardEmoji': note,
  'AwardEmoji.user': [...note, 'awardEmoji(first: 1)', 'nodes'],
  'Discussion.truncatedDiffLines': [...request, 'discussions(last: 1)', 'nodes'],
};

export default { graphql: { fill, ways } } satisfies AreaExamples;
