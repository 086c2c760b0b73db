import { isDeepStrictEqual } from 'node:util';
import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { scheduleSettings } from '../../../shared/ci/pipeline-schedules/schedule-settings.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { exportSteps } from '../exports/export-steps.js';
import { archiveObjects } from '../exports/read-archive.js';
import { importForm } from '../container-imports/sample-archive.js';
import { otherValues } from '../../tenancy/containers/other-value.js';
import { sameInAll } from './same-archive.js';

const app = useApp(test);
const { download } = exportSteps(app);

test.before('let tests ask as often as they like', () =>
  app.set({ project_export_limit: 0, project_download_export_limit: 0, project_import_limit: 0 }),
);

interface Answer {
  id: number;
  iid: number;
}

/** Sends requests a minute apart: an import at a single time has to preserve distinct times. */
const asking = (user: BuiltUser) => async (method: 'post' | 'put', path: string, body: object) => {
  app.clock.advance('1 minute');
  const answer = await app.as(user)[method](path, body);
  if (answer.status > 202) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body as Answer & Record<string, never>;
};

/** Users whose public email is their confirmed one, so that an administrator's import finds them. */
const openly = async (user: BuiltUser) => {
  await app.services.db.pool.query('update users set public_email = email, confirmed_at = now() where id = $1', [
    user.id,
  ]);
  return user;
};

type Ask = ReturnType<typeof asking>;

async function addPlanning(ask: Ask, base: string, member: BuiltUser, groupId: number) {
  const epic = await ask('post', `/groups/${groupId}/epics`, { title: 'Theme' });
  await ask('post', `${base}/labels`, { name: 'bug', color: '#112233', description: 'A "bug"', priority: 3 });
  await ask('post', `${base}/labels`, { name: 'idea', color: '#FFEEDD' });
  const milestone = await ask('post', `${base}/milestones`, {
    title: 'One',
    description: '*Text*',
    start_date: '2030-01-01',
    due_date: '2030-02-01',
  });
  const second = await ask('post', `${base}/milestones`, { title: 'Two' });
  await ask('put', `${base}/milestones/${second.id}`, { state_event: 'close' });
  await ask('post', `${base}/badges`, { name: 'ci', link_url: 'https://a.test', image_url: 'https://a.test/i' });
  const board = await ask('post', `${base}/boards`, { name: 'Plan' });
  await ask('put', `${base}/boards/${board.id}`, {
    hide_backlog_list: true,
    labels: 'bug',
    milestone_id: milestone.id,
    weight: 3,
    assignee_id: member.id,
  });
  const label = (await ask('put', `${base}/labels/bug`, { description: 'Bugs' })) as Answer;
  await ask('post', `${base}/boards/${board.id}/lists`, { label_id: label.id });
  await ask('post', `${base}/boards/${board.id}/lists`, { assignee_id: member.id });
  await ask('post', `${base}/boards/${board.id}/lists`, { milestone_id: milestone.id });
  return { epic, milestone };
}

async function addIssues(ask: Ask, asMember: Ask, base: string, member: BuiltUser, groupId: number) {
  const { epic, milestone } = await addPlanning(ask, base, member, groupId);
  const issue = await ask('post', `${base}/issues`, {
    title: 'First',
    description: '- [x] done\n- [ ] not',
    labels: 'bug',
    milestone_id: milestone.id,
    assignee_ids: [member.id],
    weight: 3,
    due_date: '2030-05-01',
  });
  const at = `${base}/issues/${issue.iid}`;
  await ask('post', `/groups/${groupId}/epics/${epic.iid}/issues/${issue.id}`, {});
  await ask('put', at, { add_labels: 'idea', title: 'The first', weight: 5 });
  await ask('put', at, { remove_labels: 'bug', milestone_id: 0 });
  await asMember('post', `${at}/notes`, { body: 'Said by **somebody** else' });
  await ask('post', `${at}/notes`, { body: 'Among us', internal: true });
  const thread = (await ask('post', `${at}/discussions`, { body: 'What of it?' })) as unknown as {
    id: string;
    notes: Answer[];
  };
  await asMember('post', `${at}/discussions/${thread.id}/notes`, { body: 'This' });
  await ask('put', `${at}/discussions/${thread.id}/notes/${thread.notes[0]?.id}`, { body: 'What of it then?' });
  await asMember('post', `${at}/notes/${thread.notes[0]?.id}/award_emoji`, { name: 'heart' });
  await asMember('post', `${at}/award_emoji`, { name: 'rocket' });
  await ask('post', `${at}/add_spent_time`, { duration: '1h', summary: 'Thinking' });
  await ask('post', `${at}/time_estimate`, { duration: '3h' });
  await asMember('post', `${base}/issues`, { title: 'Second', confidential: true, issue_type: 'incident' });
  await ask('post', `${at}/links`, {
    target_project_id: base.split('/').at(-1),
    target_issue_iid: 2,
    link_type: 'blocks',
  });
  await ask('put', `${base}/issues/2`, { state_event: 'close', discussion_locked: true });
}

async function addRequests(ask: Ask, asMember: Ask, base: string, member: BuiltUser) {
  for (const branch of ['side', 'gone', 'done']) {
    await ask('post', `${base}/repository/branches`, { branch, ref: 'main' });
    const file = { branch, content: 'New\nfile\n', commit_message: `Add ${branch}` };
    await ask('post', `${base}/repository/files/${branch}.txt`, file);
  }
  await ask('post', `${base}/repository/tags`, { tag_name: 'v1', ref: 'main' });
  const request = (source_branch: string, more = {}) =>
    ask('post', `${base}/merge_requests`, {
      source_branch,
      target_branch: 'main',
      title: `Merge ${source_branch}`,
      ...more,
    });
  const open = (await request('side', {
    title: 'Draft: Merge it',
    description: 'Because',
    labels: 'bug,idea',
    assignee_ids: [member.id],
    reviewer_ids: [member.id],
    squash: true,
    remove_source_branch: true,
  })) as unknown as Answer & { diff_refs: object };
  const at = `${base}/merge_requests/${open.iid}`;
  await asMember('post', `${at}/notes`, { body: 'On all of it' });
  const thread = (await asMember('post', `${at}/discussions`, {
    body: 'On a line\n\n```suggestion:-0+0\nOld\n```',
    position: { position_type: 'text', ...open.diff_refs, old_path: 'side.txt', new_path: 'side.txt', new_line: 1 },
  })) as unknown as { id: string };
  await ask('post', `${at}/discussions/${thread.id}/notes`, { body: 'No' });
  await ask('put', `${at}/discussions/${thread.id}?resolved=true`, {});
  await ask('put', `${base}/repository/files/side.txt`, {
    branch: 'side',
    content: 'Newer\n',
    commit_message: 'Change',
  });
  await app.work();
  await ask('post', `${at}/add_spent_time`, { duration: '2h' });
  await asMember('post', `${at}/award_emoji`, { name: 'thumbsup' });
  await asMember('post', `${at}/approve`, {});
  const closed = await request('gone');
  await ask('put', `${base}/merge_requests/${closed.iid}`, { state_event: 'close' });
  const done = await request('done');
  await app.work();
  await ask('put', `${base}/merge_requests/${done.iid}/merge`, {});
}

async function addRules(ask: Ask, asMember: Ask, base: string) {
  await ask('post', `${base}/protected_branches`, {
    name: 'release/*',
    push_access_level: 30,
    merge_access_level: 0,
    allow_force_push: true,
  });
  await ask('post', `${base}/protected_tags`, { name: 'v*', create_access_level: 30 });
  await ask('post', `${base}/pipeline_schedules`, {
    description: 'Nightly',
    ref: 'main',
    cron: '0 1 * * *',
    active: false,
    ...otherValues(scheduleSettings),
  });
  await ask('post', `${base}/environments`, { name: 'production', external_url: 'https://a.test', tier: 'production' });
  await ask('post', `${base}/environments`, { name: 'review/one', description: 'For a look' });
  await ask('post', `${base}/protected_environments`, {
    name: 'production',
    deploy_access_levels: [{ access_level: 40 }, { access_level: 30 }],
    approval_rules: [{ access_level: 40, required_approvals: 2 }],
  });
  const snippet = await ask('post', `${base}/snippets`, {
    title: 'Snippet',
    description: 'Some',
    visibility: 'private',
    files: [{ file_path: 'a.txt', content: 'a' }],
  });
  await asMember('post', `${base}/snippets/${snippet.id}/notes`, { body: 'Nice' });
  await asMember('post', `${base}/snippets/${snippet.id}/award_emoji`, { name: 'star' });
  await ask('post', `${base}/wikis`, { title: 'Home', content: 'Welcome' });
}

// Contract: archives-round_trip
test('a project with everything in it comes back equal from its archive', async (t) => {
  t.timeout(120_000);
  const admin = await openly(await app.build.admin());
  const member = await openly(await app.build.user());
  const group = await app.build.group({ owner: admin });
  const project = await app.build.projectIn(group, { empty: false });
  const base = `/projects/${project.id}`;
  const [ask, asMember] = [asking(admin), asking(member)];
  await ask('post', `/groups/${group.id}/members`, { user_id: member.id, access_level: 30 });
  await ask('put', base, {
    description: 'What it is',
    topics: 'one,two',
    squash_option: 'always',
    container_registry_access_level: 'private',
  });
  await addIssues(ask, asMember, base, member, group.id);
  await addRequests(ask, asMember, base, member);
  await addRules(ask, asMember, base);
  await app.work();
  const exported = async (id: number) => {
    await ask('post', `/projects/${id}/export`, {});
    await app.work();
    return (await download(admin, id, {}, 'projects')).bytes;
  };
  const first = await exported(project.id);
  app.clock.advance('1 hour');
  const form = importForm(first, { path: 'the-copy', name: 'Copy', namespace: group.full_path });
  const sent = await app.as(admin).raw('POST', '/api/v4/projects/import', form);
  t.is(sent.status, 201, sent.text);
  await app.work();
  const { body: status } = await app.as(admin).get(`/projects/${sent.body.id}/import`);
  t.like(status, { import_status: 'finished', import_error: null, failed_relations: [] });
  const second = await exported(sent.body.id);
  const [before, after] = [sameInAll(await archiveObjects(first)), sameInAll(await archiveObjects(second))];
  t.deepEqual(Object.keys(after), Object.keys(before));
  for (const [name, rows] of Object.entries(before)) t.true((rows as unknown[]).length > 0, name);
  const unlike = Object.keys(before).filter((name) => !isDeepStrictEqual(after[name], before[name]));
  const those = (files: Record<string, unknown>) => Object.fromEntries(unlike.map((name) => [name, files[name]]));
  t.deepEqual(those(after), those(before));
});

// Contract: archives-gitbeaker
test('@gitbeaker/rest exports a project, downloads its archive and imports it', async (t) => {
  const user = await app.build.user();
  const project = await app.build.project({ owner: user, empty: false });
  const { ProjectImportExports, Projects } = new Gitlab({ host: app.url, token: user.token });
  await ProjectImportExports.scheduleExport(project.id, { url: '' } as never);
  await app.work();
  const content = await ProjectImportExports.download(project.id);
  const path = `beaker-${project.id}`;
  const file = { content, filename: 'project.tar.gz' };
  const imported = await ProjectImportExports.import(file, path, { name: 'Copy' });
  t.is(imported.import_status, 'scheduled');
  await app.work();
  t.like(await ProjectImportExports.showImportStatus(imported.id), { import_status: 'finished' });
  t.like(await Projects.show(imported.id), { name: 'Copy', path });
});
