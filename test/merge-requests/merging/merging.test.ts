import test from 'ava';
import { useApp } from '../../core/app.js';
import { workTree } from '../../repositories/git-http/push-client.js';
import { mergingIn } from './merging-steps.js';

const app = useApp(test);

// Contract: merging-1.merge, merging-2.merge_method.merge, merging-1.keys
test('a merge makes a commit of both branches, removes the source branch and says who did it', async (t) => {
  const { project, make, merge, read, head, parents, message, git } = await mergingIn(app);
  const before = head();
  const request = await make({ title: 'Add an engine' });
  const { status, body } = await merge(request, { should_remove_source_branch: true });
  t.is(status, 200);
  t.like(body, {
    state: 'merged',
    squash_commit_sha: null,
    merge_user: { id: project.owner.id },
    merged_by: { id: project.owner.id },
    merge_error: null,
    detailed_merge_status: 'not_open',
    should_remove_source_branch: true,
    sha: request.sha,
  });
  t.not(body.merged_at, null);
  t.is(body.merge_commit_sha, head());
  t.deepEqual(parents(body.merge_commit_sha), [before, request.sha]);
  t.is(
    message(body.merge_commit_sha),
    `Merge branch '${String(request.source_branch)}' into 'main'\n\nAdd an engine\n\nSee merge request ${(request.references as { full: string }).full}`,
  );
  t.is(head(String(request.source_branch)), null);
  const { email } = (await app.as(project.owner).get('/user')).body;
  t.is(git('log', '-1', '--format=%ae %ce', body.merge_commit_sha), `${email} ${email}`);
  t.is((await read(request)).merged_at, body.merged_at);
  const again = await merge(request);
  t.is(again.status, 405);
  t.deepEqual(again.body, { message: '405 Method Not Allowed' });
});

// Contract: merging-2.merge_method.ff
test('fast-forward moves the target to the head, and only where the source is on top of it', async (t) => {
  const { make, merge, head, commit, read } = await mergingIn(app, { merge_method: 'ff' });
  const [first, second] = [await make(), await make()];
  const { body } = await merge(first);
  t.like(body, { state: 'merged', merge_commit_sha: null, squash_commit_sha: null });
  t.is(head(), first.sha);
  const behind = await merge(second);
  t.is(behind.status, 422);
  t.deepEqual(behind.body, { message: 'Branch cannot be merged' });
  await app.work();
  t.is((await read(second)).detailed_merge_status, 'need_rebase');
  await commit('main');
  t.is((await merge(second)).status, 422);
});

// Contract: merging-2.merge_method.rebase_merge
test('a merge commit with semi-linear history needs the source on top of the target', async (t) => {
  const { make, merge, head, parents } = await mergingIn(app, { merge_method: 'rebase_merge' });
  const [first, second] = [await make(), await make()];
  const before = head();
  const { body } = await merge(first);
  t.deepEqual(parents(body.merge_commit_sha), [before, first.sha]);
  t.is((await merge(second)).status, 422);
});

const SQUASHES = [
  ['never', true, false],
  ['never', undefined, false],
  ['always', false, true],
  ['always', undefined, true],
  ['default_on', undefined, true],
  ['default_on', false, false],
  ['default_off', undefined, false],
  ['default_off', true, true],
] as const;

for (const [option, squash, squashed] of SQUASHES)
  // Contract: merging-2.squash_option
  test(`squash_option ${option}, asked for ${String(squash)}: ${squashed ? 'one commit' : 'all commits'}`, async (t) => {
    const { make, merge, head, parents, git } = await mergingIn(app, { squash_option: option });
    const request = await make({ title: 'Both' }, ['One', 'Two']);
    const before = head();
    const { status, body, text } = await merge(request, squash === undefined ? {} : { squash });
    t.is(status, 200, text);
    t.is(body.squash_commit_sha !== null, squashed);
    t.deepEqual(parents(body.merge_commit_sha), [before, squashed ? body.squash_commit_sha : request.sha]);
    if (!squashed) return;
    t.deepEqual(parents(body.squash_commit_sha), [before]);
    t.is(git('log', '-1', '--format=%s', body.squash_commit_sha), 'Both');
    t.is(git('diff', '--stat', request.sha, body.squash_commit_sha), '');
  });

// Contract: merging-2.squash_option
test('with fast-forward a squash is what the target moves to', async (t) => {
  const { make, merge, head, parents } = await mergingIn(app, { merge_method: 'ff' });
  const before = head();
  const request = await make({}, ['One', 'Two']);
  const { body } = await merge(request, { squash: true, squash_commit_message: 'All of it' });
  t.like(body, { merge_commit_sha: null, squash_commit_sha: head() });
  t.deepEqual(parents(body.squash_commit_sha), [before]);
});

// Contract: merging-2.templates
test('messages follow the templates of the project, and what is asked for wins', async (t) => {
  const templates = {
    merge_commit_template: '%{title} (%{local_reference}) %{unknown}',
    squash_commit_template: '%{all_commits}',
  };
  const { make, merge, message } = await mergingIn(app, templates);
  const first = await merge(await make({ title: 'First' }, ['One', 'Two']), { squash: true });
  t.is(message(first.body.merge_commit_sha), 'First (!1) %{unknown}');
  t.is(message(first.body.squash_commit_sha), '* One\n\n* Two');
  const own = { squash: true, merge_commit_message: 'Mine', squash_commit_message: 'Also mine %{title}' };
  const second = await merge(await make({}, ['One', 'Two']), own);
  t.is(message(second.body.merge_commit_sha), 'Mine');
  t.is(message(second.body.squash_commit_sha), 'Also mine %{title}');
});

// Contract: merging-2.templates
test('templates tell whom and what a merge has to do with', async (t) => {
  const template =
    '%{issues}\n%{approved_by}\n%{merged_by}\n%{first_commit}\n%{co_authored_by}\n%{source_branch} %{target_branch} %{url}';
  const { project, make, merge, message, path, owner } = await mergingIn(app, { merge_commit_template: template });
  const approver = await app.build.member(project, 'developer');
  await owner.post(`/projects/${project.id}/issues`, { title: 'Engine' });
  const request = await make({ description: 'Closes #1' }, ['One', 'Two']);
  t.is((await app.as(approver).post(`${path}/${request.iid}/approve`)).status, 201);
  await app.work();
  const { body } = await merge(request);
  const [{ name, email }, approved] = await Promise.all(
    [project.owner, approver].map(async (user) => (await app.as(user).get('/user')).body),
  );
  t.deepEqual(message(body.merge_commit_sha).split('\n'), [
    'Closes #1',
    `Approved-by: ${approved.name} <${approved.email}>`,
    `${name} <${email}>`,
    'One',
    `${String(request.source_branch)} main ${String(request.web_url)}`,
  ]);
});

const REMOVALS = [
  ['not by the project alone', true, {}, {}, false],
  ['not unasked', false, {}, {}, false],
  ['by its author', false, { remove_source_branch: true }, {}, true],
  ['by whoever merges', false, {}, { should_remove_source_branch: true }, true],
  ['not by whoever merges', true, { remove_source_branch: true }, { should_remove_source_branch: false }, false],
] as const;

for (const [how, setting, attributes, params, gone] of REMOVALS)
  // Contract: merging-2.remove_source_branch_after_merge
  test(`the source branch is removed ${how}`, async (t) => {
    const { make, merge, head } = await mergingIn(app, { remove_source_branch_after_merge: setting });
    const request = await make(attributes);
    const { status, text } = await merge(request, params);
    t.is(status, 200, text);
    t.is(head(String(request.source_branch)) === null, gone);
  });

// Contract: merging-2.remove_source_branch_after_merge
test('a protected source branch stays', async (t) => {
  const { project, make, merge, head, owner } = await mergingIn(app);
  const request = await make();
  await owner.post(`/projects/${project.id}/protected_branches`, { name: request.source_branch });
  t.is((await merge(request, { should_remove_source_branch: true })).status, 200);
  t.is(head(String(request.source_branch)), request.sha);
});

// Contract: merging-1.errors
test('who may not merge is told so first, then what stands in the way, then another head, then what git says', async (t) => {
  const { project, make, merge, edit, commit } = await mergingIn(app);
  const developer = await app.build.member(project, 'developer');
  const guest = await app.build.member(project, 'reporter');
  await app.as(project.owner).post(`/projects/${project.id}/protected_branches`, { name: 'main' });
  const request = await make({}, ['One']);
  await edit(request, { title: 'Draft: it' });
  const wrong = { sha: 'a'.repeat(40) };
  for (const user of [developer, guest]) {
    const rejection = await merge(request, wrong, user);
    t.is(rejection.status, 401);
    t.deepEqual(rejection.body, { message: '401 Unauthorized' });
  }
  t.is((await merge(request, wrong)).status, 405);
  await edit(request, { title: 'It' });
  await commit('main', undefined, { path: 'conflict.txt', content: 'ours' });
  await commit(String(request.source_branch), undefined, { path: 'conflict.txt', content: 'theirs' });
  const other = await merge(request, wrong);
  t.is(other.status, 409);
  t.regex(other.body.message, /^SHA does not match HEAD of source branch: [0-9a-f]{40}$/);
  const conflict = await merge(request);
  t.is(conflict.status, 422);
  t.deepEqual(conflict.body, { message: 'Branch cannot be merged' });
  await edit(request, { state_event: 'close' });
  t.is((await merge(request)).status, 405);
});

// Contract: merging-1.rights
test('whoever may merge into a protected branch merges, without the right to push', async (t) => {
  const { project, make, merge, owner } = await mergingIn(app);
  const developer = await app.build.member(project, 'developer');
  await owner.delete(`/projects/${project.id}/protected_branches/main`);
  const rule = { name: 'main', push_access_level: 0, merge_access_level: 30 };
  t.is((await owner.post(`/projects/${project.id}/protected_branches`, rule)).status, 201);
  t.is((await merge(await make(), {}, developer)).status, 200);
});

// Contract: merging-1.sha
test('what moved a moment ago is merged as it is now, or not at all', async (t) => {
  const { make, merge, commit, parents } = await mergingIn(app);
  const request = await make();
  const newer = await commit(String(request.source_branch));
  t.is((await merge(request, { sha: request.sha })).status, 409);
  const { status, body } = await merge(request, { sha: newer });
  t.is(status, 200);
  t.is(parents(body.merge_commit_sha)[1], newer);
});

// Contract: merging-1.race
test('of two merges of one at once one wins, and two into one branch both land', async (t) => {
  const { make, merge, head, git } = await mergingIn(app);
  const [one, other, third] = [await make(), await make(), await make()];
  const answers = await Promise.all([merge(one), merge(one), merge(one)]);
  t.deepEqual(
    answers.map(({ status }) => status).sort((a, b) => a - b),
    [200, 405, 405],
  );
  const both = await Promise.all([merge(other), merge(third)]);
  t.deepEqual(
    both.map(({ status }) => status),
    [200, 200],
  );
  const landed = git('rev-list', '--merges', '--count', head()!);
  t.is(landed, '3');
});

// Contract: merging-3.mergeability
test('whether it can be merged is found by a job after it is made and after each push', async (t) => {
  const { make, read, commit } = await mergingIn(app);
  const request = await make();
  await app.work();
  t.like(await read(request), {
    merge_status: 'can_be_merged',
    detailed_merge_status: 'mergeable',
    has_conflicts: false,
  });
  await commit(String(request.source_branch), undefined, { path: 'both.txt', content: 'theirs' });
  await app.work();
  t.is((await read(request)).merge_status, 'can_be_merged');
  await commit('main', undefined, { path: 'both.txt', content: 'ours' });
  await app.work();
  t.like(await read(request), {
    merge_status: 'cannot_be_merged',
    detailed_merge_status: 'conflict',
    has_conflicts: true,
  });
});

// Contract: merging-3.merge_ref
test('merge_ref tells the commit that a merge would make, the same each time', async (t) => {
  const { make, path, owner, head, parents, commit, project } = await mergingIn(app);
  const request = await make();
  const url = `${path}/${request.iid}/merge_ref`;
  const { status, body } = await owner.get(url);
  t.is(status, 200);
  t.deepEqual(parents(body.commit_id), [head(), request.sha]);
  app.clock.advance('1 hour');
  t.deepEqual((await owner.get(url)).body, body);
  t.is((await app.as(await app.build.member(project, 'reporter')).get(url)).status, 200);
  await commit(String(request.source_branch), undefined, { path: 'both.txt', content: 'theirs' });
  await commit('main', undefined, { path: 'both.txt', content: 'ours' });
  await app.work();
  const rejection = await owner.get(url);
  t.is(rejection.status, 400);
  t.deepEqual(rejection.body, { message: 'Merge request is not mergeable' });
});

// Contract: merging-3.by_push
test('merged by a push, the merge commit is the merge that brought the head in, or the head that came straight [unverified]', async (t) => {
  const project = await app.build.project();
  const { make, read } = await mergingIn(app, {}, project);
  const [merged, open] = [await make({}, ['One', 'Two']), await make()];
  const work = await workTree(t, app, project, { as: project.owner });
  const { inside } = work;
  await inside('merge', '--quiet', '--no-ff', '--message=At home', `origin/${merged.source_branch}`);
  const merge = await inside('rev-parse', 'HEAD');
  await work.commit('later.txt');
  t.is((await work.push(['HEAD:refs/heads/main'])).code, 0);
  await app.work();
  t.like(await read(merged), { state: 'merged', merge_commit_sha: merge });
  t.like(await read(open), { state: 'opened', merge_commit_sha: null });
  const straight = await make({}, ['Three']);
  await inside('fetch', '--quiet', 'origin', String(straight.source_branch));
  t.is((await work.push(['FETCH_HEAD:refs/heads/main'])).code, 0);
  await app.work();
  t.like(await read(straight), { state: 'merged', merge_commit_sha: straight.sha });
});
