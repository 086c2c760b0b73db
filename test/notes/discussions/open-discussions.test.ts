import test from 'ava';
import { sql } from 'kysely';
import { openDiscussions } from '../../../shared/notes/discussions/open-discussions.js';
import { useApp } from '../../core/app.js';
import { ids } from '../fixtures.js';

const app = useApp(test);

/** A merge request with two threads on it, by their paths. */
async function requestFixture() {
  const project = await app.build.project({ visibility: 'public' });
  const now = app.clock.now();
  const [request] = await app.context().query<{ id: number; iid: number }>(sql`
    insert into merge_requests (project_id, iid, source_project_id, source_branch, target_branch, title, author_id,
                                created_at, updated_at)
    values (${project.id}, 1, ${project.id}, 'work', 'main', 'Change', ${project.owner.id}, ${now}, ${now})
    returning id as "id", iid as "iid"`);
  const as = app.as(project.owner);
  return { project, as, request: request!, path: `/projects/${project.id}/merge_requests/1` };
}

// Contract: notes-5.6
test('a merge request waits for its threads, where its project asks that all of them be resolved', async (t) => {
  const { project, as, request, path } = await requestFixture();
  const { id } = (await as.post(`${path}/discussions`, { body: 'Why?' })).body;
  const open = async () => [...(await openDiscussions(app.context(), [request])).keys()];
  t.deepEqual(await open(), []);
  await as.put(`/projects/${project.id}`, { only_allow_merge_if_all_discussions_are_resolved: true });
  t.deepEqual(await open(), [request.id]);
  t.is((await as.put(`${path}/discussions/${id}`, { resolved: true })).status, 200);
  t.deepEqual(await open(), []);
});

// Contract: notes-1.merge-requests
test('merge requests are commented on and discussed as issues are', async (t) => {
  const { as, request, path } = await requestFixture();
  const { status, body } = await as.post(`${path}/notes`, { body: 'Nice' });
  t.is(status, 201);
  t.like(body, { noteable_type: 'MergeRequest', noteable_id: request.id, noteable_iid: 1, body: 'Nice' });
  t.deepEqual(ids((await as.get(`${path}/notes`)).body), [body.id]);
  const thread = (await as.post(`${path}/discussions`, { body: 'Why?' })).body;
  const reply = await as.post(`${path}/discussions/${thread.id}/notes`, { body: 'Because' });
  t.is(reply.body.type, 'DiscussionNote');
  t.is((await as.get(`${path}/discussions`)).headers.get('x-total'), '2');
  t.is((await app.anonymous.get(`${path}/notes`)).status, 401);
  const [row] = await app.context().query<{ count: number }>(sql`
    select r.user_notes_count as "count" from merge_requests r where r.id = ${request.id}`);
  t.is(row?.count, 3);
});
