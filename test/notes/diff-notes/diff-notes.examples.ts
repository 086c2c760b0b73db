import type { AreaExamples, GraphqlPlace } from '../../core/area-examples.js';

/** Threads on a line and on a picture of a merge request of the project, its last ones. */
async function fill({ app, user, project }: GraphqlPlace): Promise<void> {
  const as = app.as(user);
  const [listed] = (await as.get(`/projects/${project.id}/merge_requests?scope=all&state=opened`)).body;
  if (!listed) return;
  const path = `/projects/${project.id}/merge_requests/${listed.iid}`;
  const { diff_refs: refs } = (await as.get(path)).body;
  const [file] = (await as.get(`${path}/diffs`)).body;
  if (!refs || !file) return;
  const place = { ...refs, old_path: file.old_path, new_path: file.new_path };
  const line = { ...place, position_type: 'text', new_line: 1 };
  const picture = { ...place, position_type: 'image', width: 10, height: 10, x: 1, y: 1 };
  for (const position of [line, picture]) await as.post(`${path}/discussions`, { body: 'Here', position });
}

// Notes are told in the order in which they were written.
const ways = {
  'Note.position': ['groups(first: $n)', 'nodes', 'mergeRequests(first: 1)', 'nodes', 'notes(last: 1)', 'nodes'],
};

export default { graphql: { fill, ways } } satisfies AreaExamples;
