import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { exportSteps } from '../exports/export-steps.js';
import { archiveObjects } from '../exports/read-archive.js';
import { importForm } from '../container-imports/sample-archive.js';
import { sameInAll } from './same-archive.js';

const app = useApp(test);
const { exported } = exportSteps(app);

test.before('let tests ask as often as they like', () =>
  app.set({ group_export_limit: 0, group_download_export_limit: 0, group_import_limit: 0 }),
);

/** Users whose public email is their confirmed one, so that an administrator's import finds them. */
const openly = async (user: BuiltUser) => {
  await app.services.db.pool.query('update users set public_email = email, confirmed_at = now() where id = $1', [
    user.id,
  ]);
  return user;
};

/** Everything that a group can have, in one of them. */
async function fill(admin: BuiltUser, member: BuiltUser, id: number, above: { epic?: number }): Promise<number> {
  const as = app.as(admin);
  const create = async (path: string, body: object): Promise<never> => {
    const answer = await as.post(`/groups/${id}/${path}`, body);
    if (answer.status > 202) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body as never;
  };
  await create('members', { user_id: member.id, access_level: 50, expires_at: '2099-01-31' });
  const bug = (await create('labels', { name: `bug ${id}`, color: '#FFAABB', description: 'A "bug"\nindeed' })) as {
    id: number;
  };
  await create('labels', { name: `plain ${id}`, color: '#112233' });
  const first = (await create('milestones', {
    title: `One ${id}`,
    description: '*Text*',
    start_date: '2030-01-01',
    due_date: '2030-02-01',
  })) as { id: number };
  await create('milestones', { title: `Two ${id}` });
  await as.put(`/groups/${id}/milestones/${first.id}`, { state_event: 'close' });
  await create('badges', { name: 'ci', link_url: 'https://a.test/%{project_path}', image_url: 'https://a.test/i.svg' });
  const board = (await create('boards', { name: 'Plan' })) as { id: number };
  await as.put(`/groups/${id}/boards/${board.id}`, {
    name: 'Planned',
    hide_backlog_list: true,
    labels: `bug ${id}`,
    milestone_id: first.id,
    weight: 3,
    assignee_id: member.id,
  });
  await create(`boards/${board.id}/lists`, { label_id: bug.id });
  await create(`boards/${board.id}/lists`, { milestone_id: first.id });
  await create(`boards/${board.id}/lists`, { assignee_id: member.id });
  const epic = (await create('epics', {
    title: `Epic ${id}`,
    description: 'What it *is*',
    labels: `bug ${id}`,
    color: '#abcdef',
    start_date_is_fixed: true,
    start_date_fixed: '2030-01-05',
    due_date_is_fixed: true,
    due_date_fixed: '2030-03-05',
    ...(above.epic === undefined ? {} : { parent_id: above.epic }),
  })) as { id: number; iid: number };
  const inner = (await create('epics', { title: `Inner ${id}`, confidential: true, parent_id: epic.id })) as {
    iid: number;
  };
  await as.put(`/groups/${id}/epics/${inner.iid}`, { state_event: 'close' });
  await as.put(`/groups/${id}/epics/${epic.iid}`, { add_labels: `plain ${id}`, title: `Epic of ${id}` });
  await as.put(`/groups/${id}/epics/${epic.iid}`, { remove_labels: `bug ${id}` });
  const asMember = app.as(member);
  await create(`epics/${epic.iid}/award_emoji`, { name: 'thumbsup' });
  await asMember.post(`/groups/${id}/epics/${epic.iid}/award_emoji`, { name: 'rocket' });
  await create(`epics/${epic.id}/notes`, { body: 'Alone' });
  await create(`epics/${epic.id}/notes`, { body: 'Among us', internal: true });
  const thread = (await create(`epics/${epic.id}/discussions`, { body: 'What of it?' })) as {
    id: string;
    notes: { id: number }[];
  };
  await asMember.post(`/groups/${id}/epics/${epic.id}/discussions/${thread.id}/notes`, { body: 'This' });
  await asMember.post(`/groups/${id}/epics/${epic.iid}/notes/${thread.notes[0]?.id}/award_emoji`, { name: 'heart' });
  return epic.id;
}

// Contract: archives-round_trip
test('a group of three levels with everything in it comes back equal from its archive', async (t) => {
  const admin = await openly(await app.build.admin());
  const member = await openly(await app.build.user());
  const as = app.as(admin);
  const { body: top } = await as.post('/groups', {
    name: 'Source',
    path: `source-${admin.id}`,
    description: 'The top',
    visibility: 'private',
  });
  await as.put(`/groups/${top.id}`, {
    project_creation_level: 'maintainer',
    subgroup_creation_level: 'owner',
    request_access_enabled: false,
    require_two_factor_authentication: false,
    two_factor_grace_period: 72,
    emails_disabled: true,
    mentions_disabled: true,
    lfs_enabled: false,
    auto_devops_enabled: true,
    membership_lock: true,
    share_with_group_lock: true,
    default_branch_protection: 1,
    prevent_sharing_groups_outside_hierarchy: true,
  });
  const { body: middle } = await as.post('/groups', { name: 'Middle', path: 'middle', parent_id: top.id });
  const { body: bottom } = await as.post('/groups', {
    name: 'Bottom',
    path: 'bottom',
    parent_id: middle.id,
    description: 'Text',
    request_access_enabled: false,
  });
  let epic: number | undefined;
  for (const { id } of [top, middle, bottom]) {
    epic = await fill(admin, member, id, epic === undefined ? {} : { epic });
    // An import at a single time has to preserve distinct times.
    app.clock.advance('1 minute');
  }
  const first = await exported(admin, top.id);
  const path = `copy-${admin.id}`;
  app.clock.advance('1 hour');
  const sent = await app.as(admin).raw('POST', '/api/v4/groups/import', importForm(first, { name: 'Copy', path }));
  t.is(sent.status, 202);
  await app.work();
  const { body: status } = await as.get(`/groups/${path}/import`);
  t.like(status, { status: 'finished', last_error: null, failures: [] });
  const copy = (await as.get(`/groups/${path}`)).body as { id: number };
  const second = await exported(admin, copy.id);
  const [before, after] = [sameInAll(await archiveObjects(first)), sameInAll(await archiveObjects(second))];
  t.deepEqual(Object.keys(after), Object.keys(before));
  t.is(Object.keys(before).length, 1 + 3 + 3 * 8);
  const [root, copied] = [before, after].map((files) => (files['./tree/groups/groups-0.json'] as object[])[0]);
  t.deepEqual({ ...copied, name: 'Source', path: `source-${admin.id}` }, root);
  for (const name of Object.keys(before).filter((one) => one !== './tree/groups/groups-0.json'))
    t.deepEqual(after[name], before[name], name);
});

// Contract: archives-gitbeaker
test('@gitbeaker/rest exports a group, downloads its archive and imports it', async (t) => {
  const admin = await app.build.admin();
  const { GroupImportExports, GroupLabels, Groups } = new Gitlab({ host: app.url, token: admin.token });
  const group = await Groups.create('Source', `beaker-${admin.id}`);
  await GroupLabels.create(group.id, 'bug', '#FFAABB');
  t.deepEqual(await GroupImportExports.scheduleExport(group.id), { message: '202 Accepted' });
  await app.work();
  const content = await GroupImportExports.download(group.id);
  const path = `beaker-copy-${admin.id}`;
  const answer = await GroupImportExports.import({ content, filename: 'group.tar.gz' }, path, { name: 'Copy' });
  t.deepEqual(answer, { message: '202 Accepted' });
  await app.work();
  t.like(await Groups.show(path), { name: 'Copy', visibility: 'private' });
  const [label] = await GroupLabels.all(path);
  t.like(label, { name: 'bug', color: '#FFAABB' });
});
