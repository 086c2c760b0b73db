import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { Gitlab } from '@gitbeaker/rest';
import test from 'ava';
import { projectAttributes, projectRelations } from '../../../shared/archives/format/project-relations.js';
import { useApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { exportSteps } from './export-steps.js';
import { archiveObjects, readArchive } from './read-archive.js';

const app = useApp(test);
const run = promisify(execFile);
const steps = exportSteps(app);

test.before('let tests ask as often as they like', () =>
  app.set({ project_export_limit: 0, project_download_export_limit: 0 }),
);

const download = (user: BuiltUser, id: number) => steps.download(user, id, {}, 'projects');
const getStatus = async (user: BuiltUser, id: number) => (await app.as(user).get(`/projects/${id}/export`)).body;

// Contract: archives-7.project_export, archives-7.export_status
test('a project is exported by a job, and its status tells how far that is', async (t) => {
  const project = await app.build.project();
  const { owner, id } = project;
  const asOwner = app.as(owner);
  t.like(await getStatus(owner, id), { id, export_status: 'none', path_with_namespace: project.full_path });
  t.like(await asOwner.post(`/projects/${id}/export`), { status: 202, body: { message: '202 Accepted' } });
  t.is((await getStatus(owner, id)).export_status, 'queued');
  t.is((await download(owner, id)).status, 404);
  await app.work();
  const exportStatus = await getStatus(owner, id);
  t.is(exportStatus.export_status, 'finished');
  t.is(exportStatus._links.api_url, `http://capstan.test/api/v4/projects/${id}/export/download`);
  t.is((await download(owner, id)).status, 200);
  await asOwner.post(`/projects/${id}/export`);
  const again = await getStatus(owner, id);
  t.is(again.export_status, 'regeneration_in_progress');
  t.is(again._links, undefined);
  t.is((await download(owner, id)).status, 200);
  const developer = await app.build.member(project, 'developer');
  for (const rejection of [await app.as(developer).post(`/projects/${id}/export`), await download(developer, id)])
    t.is(rejection.status, 403);
  await app.work();
});

/** Everything that an archive of a project has a file for. */
async function filled() {
  const group = await app.build.group();
  const project = await app.build.projectIn(group, { empty: false });
  const asOwner = app.as(group.owner);
  const base = `/projects/${project.id}`;
  const { body: epic } = await asOwner.post(`/groups/${group.id}/epics`, { title: 'Theme' });
  await asOwner.post(`${base}/labels`, { name: 'bug', color: '#112233', priority: 3 });
  await asOwner.post(`${base}/milestones`, { title: 'One' });
  await asOwner.post(`${base}/boards/open`);
  await app.build.member(project, 'developer');
  await asOwner.post(`${base}/badges`, { link_url: 'https://a.test', image_url: 'https://a.test/i' });
  const { body: issue } = await asOwner.post(`${base}/issues`, {
    title: 'First',
    labels: 'bug',
    assignee_ids: [group.owner.id],
  });
  await asOwner.post(`/groups/${group.id}/epics/${epic.iid}/issues/${issue.id}`);
  await asOwner.post(`${base}/issues/${issue.iid}/notes`, { body: 'Said' });
  await asOwner.post(`${base}/issues`, { title: 'Second', confidential: true });
  await asOwner.post(`${base}/issues/1/links`, { target_project_id: project.id, target_issue_iid: 2 });
  await asOwner.post(`${base}/repository/branches`, { branch: 'side', ref: 'main' });
  await asOwner.post(`${base}/repository/files/new.txt`, { branch: 'side', content: 'New', commit_message: 'Add' });
  await asOwner.post(`${base}/merge_requests`, { source_branch: 'side', target_branch: 'main', title: 'Merge it' });
  await asOwner.post(`${base}/protected_tags`, { name: 'v*' });
  const { body: schedule } = await asOwner.post(`${base}/pipeline_schedules`, {
    description: 'Nightly',
    ref: 'main',
    cron: '0 1 * * *',
  });
  await asOwner.post(`${base}/pipeline_schedules/${schedule.id}/variables`, {
    key: 'SECRET',
    value: 'never-to-be-told',
  });
  await asOwner.post(`${base}/snippets`, { title: 'Part', visibility: 'private', content: 'Text' });
  await asOwner.post(`${base}/environments`, { name: 'production' });
  await asOwner.post(`${base}/protected_environments`, {
    name: 'production',
    deploy_access_levels: [{ access_level: 40 }],
  });
  await app.work();
  return { owner: group.owner, project, group };
}

// Contract: archives-7.project_layout, archives-7.secrets
test('an archive of a project has each relation with the attributes of the format, and no secret', async (t) => {
  const { owner, project, group } = await filled();
  await app.as(owner).post(`/projects/${project.id}/boards`, { name: 'Plan' });
  await app.as(owner).post(`/projects/${project.id}/export`, { description: 'For elsewhere' });
  await app.work();
  const { bytes } = await download(owner, project.id);
  const files = await archiveObjects(bytes);
  const self = files.get('./tree/project.json')?.[0] ?? {};
  t.deepEqual(Object.keys(self), Object.keys(projectAttributes));
  t.like(self, { description: 'For elsewhere', visibility_level: 0, default_branch: 'main', archived: false });
  t.false(files.has('./tree/project/project_members.ndjson'));
  for (const { name, attributes } of projectRelations.filter(({ incoming }) => !incoming)) {
    const [first] = files.get(`./tree/project/${name}.ndjson`) ?? [];
    t.deepEqual(Object.keys(first ?? {}), Object.keys(attributes), name);
  }
  const of = (relation: string) => files.get(`./tree/project/${relation}.ndjson`) as never[];
  t.like(of('issues')[0], {
    title: 'First',
    epic: { iid: 1, title: 'Theme', group_full_path: group.full_path },
    label_links: [{ label: { title: 'bug', type: 'ProjectLabel' } }],
    issue_links: [{ target_iid: 2, link_type: 'relates_to' }],
  });
  t.true(JSON.stringify(of('issues')[0]).includes('"note":"Said"'));
  t.like(of('issues')[1], { confidential: true });
  t.like(of('labels')[0], { priorities: [{ priority: 3 }], project_id: project.id, group_id: null });
  t.like(of('merge_requests')[0], { source_branch: 'side', source_is_target: true, state: 'opened' });
  t.like(of('pipeline_schedules')[0], { cron: '0 1 * * *', variables: [{ key: 'SECRET' }] });
  const whole = (await readArchive(bytes)).map(({ text }) => text).join('\n');
  t.false(/never-to-be-told|runners_token|import_url/.test(whole));
});

test('the bundle of an archive is the repository with all its refs', async (t) => {
  const { owner, project } = await filled();
  await app.as(owner).post(`/projects/${project.id}/export`);
  await app.work();
  const entries = await readArchive((await download(owner, project.id)).bytes);
  const bundle = entries.find(({ name }) => name === './project.bundle');
  const folder = await mkdtemp(path.join(tmpdir(), 'bundle-test-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const file = path.join(folder, 'project.bundle');
  await writeFile(file, bundle?.bytes ?? '');
  const { stdout } = await run('git', ['bundle', 'list-heads', file]);
  t.regex(stdout, /refs\/heads\/main\n/);
  t.regex(stdout, /refs\/heads\/side\n/);
});

test('an archive of a project without a repository is one without a bundle', async (t) => {
  const { owner, id } = await app.build.project({ empty: true });
  await app.as(owner).post(`/projects/${id}/export`);
  await app.work();
  const names = (await readArchive((await download(owner, id)).bytes)).map(({ name }) => name);
  t.true(names.includes('./tree/project.json'));
  t.false(names.includes('./project.bundle'));
});

// Contract: archives-gitbeaker
test('@gitbeaker/rest exports and downloads groups and projects', async (t) => {
  const { owner, project, group } = await filled();
  await app.set({ group_download_export_limit: 0 });
  const { GroupImportExports, ProjectImportExports } = new Gitlab({ host: app.url, token: owner.token });
  t.deepEqual(await GroupImportExports.scheduleExport(group.id), { message: '202 Accepted' });
  t.deepEqual(await ProjectImportExports.scheduleExport(project.id, { url: '' } as never), { message: '202 Accepted' });
  await app.work();
  t.is((await ProjectImportExports.showExportStatus(project.id)).export_status, 'finished');
  for (const blob of [await GroupImportExports.download(group.id), await ProjectImportExports.download(project.id)]) {
    const entries = await readArchive(Buffer.from(await blob.arrayBuffer()));
    t.is(entries[0]?.text, '0.2.4');
  }
});
