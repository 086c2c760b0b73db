import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { diffArchives } from '../../../shared/archives/inspection/diff-archives.js';
import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';
import { exportSteps } from '../exports/export-steps.js';
import { importForm } from '../container-imports/sample-archive.js';

/** Names are few, so that many are met at several levels. */
const title = fc.constantFrom('v1.0', 'v2.0', 'Später', 'a "b" \\ c', '<i>x</i>', ' spaced ');
const text = fc.option(fc.constantFrom('', 'Text', '*Two*\nlines', 'a\tb', '\u{1f600} – “q”'), { nil: undefined });
const color = fc.constantFrom('#112233', '#FFAABB', '#00ff00');
const day = fc.constantFrom('2030-01-31', '2030-02-28', '2031-12-31');
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const some = <T>(value: fc.Arbitrary<T>, most: number) => fc.array(value, { maxLength: most });

const label = fc.record({
  name: title,
  color,
  description: text,
  archived: maybe(fc.boolean()),
  priority: maybe(fc.nat(9)),
});
const milestone = fc.record({ title, description: text, due_date: maybe(day), closed: fc.boolean() });
const badge = fc.record({
  name: maybe(title),
  link_url: fc.constant('https://a.test/%{project_path}'),
  image_url: fc.constant('https://a.test/i'),
});
const list = fc.record({ of: fc.constantFrom('label', 'milestone', 'assignee'), pick: fc.nat(20) });
const board = fc.record({
  name: title,
  hide_backlog_list: fc.boolean(),
  hide_closed_list: fc.boolean(),
  weight: maybe(fc.nat(20)),
  milestone: maybe(fc.nat(20)),
  labels: maybe(fc.nat(20)),
  assignee: maybe(fc.nat(20)),
  lists: some(list, 4),
});
const planning = {
  labels: some(label, 4),
  milestones: some(milestone, 3),
  badges: some(badge, 2),
  boards: some(board, 2),
};

const epic = fc.record({
  title,
  description: text,
  confidential: fc.boolean(),
  due: maybe(day),
  label: maybe(fc.nat(20)),
  parent: maybe(fc.nat(20)),
  closed: fc.boolean(),
  note: maybe(text),
  byMember: fc.boolean(),
});
const member = fc.record({
  user: fc.nat(1),
  access_level: fc.constantFrom(10, 20, 30, 40, 50),
  expires_at: maybe(fc.constant('2099-01-01')),
  notified: maybe(fc.constantFrom('mention', 'watch', 'disabled')),
});
const settings = fc.record(
  {
    description: text.map((one) => one ?? ''),
    visibility: fc.constantFrom('private', 'internal', 'public'),
    project_creation_level: fc.constantFrom('noone', 'maintainer', 'developer'),
    subgroup_creation_level: fc.constantFrom('owner', 'maintainer'),
    request_access_enabled: fc.boolean(),
    emails_enabled: fc.boolean(),
    mentions_disabled: fc.boolean(),
    lfs_enabled: fc.boolean(),
    membership_lock: fc.boolean(),
    share_with_group_lock: fc.boolean(),
    auto_devops_enabled: fc.boolean(),
    two_factor_grace_period: fc.nat(100),
    default_branch_protection: fc.nat(4),
  },
  { requiredKeys: [] },
);

/** A tree of groups: each but the first lies in one of those before it. */
export const generatedTree = fc.array(
  fc.record({ parent: fc.nat(20), settings, ...planning, epics: some(epic, 3), members: some(member, 3) }),
  { minLength: 1, maxLength: 5 },
);
type GeneratedTree = typeof generatedTree extends fc.Arbitrary<infer T> ? T : never;
type GeneratedGroup = GeneratedTree[number];

const issue = fc.record({
  title,
  description: text,
  confidential: fc.boolean(),
  weight: maybe(fc.nat(9)),
  due_date: maybe(day),
  label: maybe(fc.nat(20)),
  milestone: maybe(fc.nat(20)),
  assignee: fc.boolean(),
  closed: fc.boolean(),
  note: maybe(text),
  emoji: fc.boolean(),
  spent: maybe(fc.constantFrom('1h', '2d')),
});

/** A project, and the contents of its group. */
export const generatedProject = fc.record({
  group: fc.record({ labels: planning.labels, milestones: planning.milestones }),
  ...planning,
  issues: some(issue, 4),
  settings: fc.record(
    {
      description: text.map((one) => one ?? ''),
      visibility: fc.constantFrom('private', 'internal'),
      squash_option: fc.constantFrom('always', 'never'),
      issues_access_level: fc.constantFrom('enabled', 'private'),
      topics: fc.constantFrom('one', 'one,two'),
    },
    { requiredKeys: [] },
  ),
});
type GeneratedProject = typeof generatedProject extends fc.Arbitrary<infer T> ? T : never;
type GeneratedPlanning = Pick<GeneratedProject, 'labels' | 'milestones' | 'badges' | 'boards'>;

interface CreatedRecord {
  id: number;
  iid: number;
}

const picked = <T>(all: readonly T[], index: number | undefined): T | undefined =>
  index === undefined || all.length === 0 ? undefined : all[index % all.length];

/**
 * Creates the generated records through the API, as `admin`. Records that the API refuses, such as a second label of a
 * name, are omitted.
 */
export function treeSteps(app: TestApp, admin: BuiltUser, users: readonly BuiltUser[]) {
  const as = app.as(admin);
  let number = 0;
  const { download } = exportSteps(app);
  const create = async <T = CreatedRecord>(at: string, body: object, by = admin): Promise<T | null> => {
    const answer = await app.as(by).post(at, body);
    if (answer.status >= 500) throw new Error(`${at}: ${answer.status} ${answer.text}`);
    return answer.status < 300 ? (answer.body as T) : null;
  };

  async function plan(
    base: string,
    generated: GeneratedPlanning,
    inForce: { labels: string[]; milestones: CreatedRecord[] },
  ) {
    const labels = [...inForce.labels];
    const milestones = [...inForce.milestones];
    for (const { priority, ...one } of generated.labels) {
      const of = base.startsWith('/projects') ? { ...one, priority } : one;
      if (await create(`${base}/labels`, of)) labels.push(one.name.trim());
    }
    for (const { closed, ...one } of generated.milestones) {
      const milestone = await create(`${base}/milestones`, one);
      if (milestone) milestones.push(milestone);
      if (milestone && closed) await as.put(`${base}/milestones/${milestone.id}`, { state_event: 'close' });
    }
    for (const one of generated.badges) await create(`${base}/badges`, one);
    for (const { name, lists, labels: label, milestone, assignee, ...flags } of generated.boards) {
      const board = await create(`${base}/boards`, { name });
      if (!board) continue;
      await as.put(`${base}/boards/${board.id}`, {
        ...flags,
        ...(label === undefined ? {} : { labels: picked(labels, label) ?? '' }),
        ...(milestone === undefined ? {} : { milestone_id: picked(milestones, milestone)?.id }),
        ...(assignee === undefined ? {} : { assignee_id: picked([admin, ...users], assignee)?.id }),
      });
      const { body: boardLabels } = await as.get(`${base}/labels?per_page=100`);
      for (const { of, pick } of lists) {
        const body =
          of === 'label'
            ? { label_id: picked(boardLabels as CreatedRecord[], pick)?.id }
            : of === 'milestone'
              ? { milestone_id: picked(milestones, pick)?.id }
              : { assignee_id: picked([admin, ...users], pick)?.id };
        await create(`${base}/boards/${board.id}/lists`, body);
      }
    }
    return { labels, milestones };
  }

  async function addMembers(id: number, members: GeneratedGroup['members']): Promise<void> {
    for (const { user, notified, ...role } of members) {
      const one = users[user] as BuiltUser;
      if (await create(`/groups/${id}/members`, { user_id: one.id, ...role }))
        if (notified) await app.as(one).put(`/groups/${id}/notification_settings`, { level: notified });
    }
  }

  async function addEpics(
    base: string,
    epics: GeneratedGroup['epics'],
    labels: readonly string[],
    created: CreatedRecord[],
  ) {
    for (const { label, parent, closed, note, byMember, due, ...one } of epics) {
      const by = byMember ? (users[0] as BuiltUser) : admin;
      const body = {
        ...one,
        ...(due ? { due_date_is_fixed: true, due_date_fixed: due } : {}),
        ...(label === undefined ? {} : { labels: picked(labels, label) }),
      };
      const above = picked(created, parent)?.id;
      const epic =
        (await create(`${base}/epics`, { ...body, ...(above === undefined ? {} : { parent_id: above }) }, by)) ??
        (await create(`${base}/epics`, body));
      if (!epic) continue;
      created.push(epic);
      if (note) await create(`${base}/epics/${epic.id}/notes`, { body: note }, by);
      if (closed) await as.put(`${base}/epics/${epic.iid}`, { state_event: 'close' });
    }
  }

  /** Makes a tree in a group. @returns the id of its first group */
  async function makeTree(tree: GeneratedTree, parentId: number, first: string): Promise<number> {
    const groups: { id: number; labels: string[]; milestones: CreatedRecord[] }[] = [];
    const epics: CreatedRecord[] = [];
    for (const [index, one] of tree.entries()) {
      app.clock.advance('1 minute');
      const above = index === 0 ? undefined : groups[one.parent % groups.length];
      const attributes = {
        parent_id: above?.id ?? parentId,
        path: index === 0 ? first : `g${index}`,
        name: `Group ${index}`,
      };
      const { visibility, ...settings } = one.settings;
      const group =
        (await create('/groups', { ...attributes, visibility: index === 0 ? 'public' : (visibility ?? 'private') })) ??
        (await create('/groups', attributes));
      if (!group) throw new Error(`No group ${JSON.stringify(attributes)}.`);
      await as.put(`/groups/${group.id}`, settings);
      await addMembers(group.id, one.members);
      const base = `/groups/${group.id}`;
      const inForce = await plan(base, one, above ?? { labels: [], milestones: [] });
      groups.push({ id: group.id, ...inForce });
      await addEpics(base, one.epics, inForce.labels, epics);
    }
    return groups[0]?.id ?? 0;
  }

  /** Makes a project in a group. */
  async function makeProject(tree: GeneratedProject, groupId: number): Promise<number> {
    const none = { badges: [], boards: [] };
    const above = await plan(`/groups/${groupId}`, { ...tree.group, ...none }, { labels: [], milestones: [] });
    const project = await create('/projects', { name: 'One', path: 'one', namespace_id: groupId });
    if (!project) throw new Error('No project.');
    const base = `/projects/${project.id}`;
    await as.put(base, tree.settings);
    const { labels, milestones } = await plan(base, tree, above);
    for (const { label, milestone, assignee, closed, note, emoji, spent, ...one } of tree.issues) {
      app.clock.advance('1 minute');
      const issue = await create(`${base}/issues`, {
        ...one,
        ...(label === undefined ? {} : { labels: picked(labels, label) }),
        ...(milestone === undefined ? {} : { milestone_id: picked(milestones, milestone)?.id }),
        ...(assignee ? { assignee_ids: [admin.id] } : {}),
      });
      if (!issue) continue;
      const at = `${base}/issues/${issue.iid}`;
      if (note) await create(`${at}/notes`, { body: note }, users[0]);
      if (emoji) await create(`${at}/award_emoji`, { name: 'rocket' });
      if (spent) await create(`${at}/add_spent_time`, { duration: spent });
      if (closed) await as.put(at, { state_event: 'close' });
    }
    return project.id;
  }

  async function exported(kind: 'groups' | 'projects', id: number): Promise<Buffer> {
    await as.post(`/${kind}/${id}/export`);
    await app.work();
    const { status, bytes } = await download(admin, id, {}, kind);
    if (status !== 200)
      throw new Error(`No archive: ${status} ${JSON.stringify((await as.get(`/${kind}/${id}/export`)).body)}`);
    return bytes;
  }

  /** The differences between two archives, as reported by `npm run archive -- diff`. */
  async function diff(first: Buffer, second: Buffer): Promise<string[]> {
    const folder = await mkdtemp(path.join(tmpdir(), 'trees-'));
    try {
      const files = [first, second].map((_archive, index) => path.join(folder, `${index}.tar.gz`)) as [string, string];
      await writeFile(files[0], first);
      await writeFile(files[1], second);
      return await diffArchives(files[0], files[1], new AbortController().signal);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  const createGroup = async (more: object = {}) => {
    const group = await create('/groups', {
      name: 'Place',
      path: `place-${admin.id}-${(number += 1)}`,
      visibility: 'public',
      ...more,
    });
    if (!group) throw new Error('No place.');
    return group;
  };

  /** Exports a tree and imports it again, below a group that has milestones of the same titles. @returns the errors */
  async function treeRoundTrip(tree: GeneratedTree): Promise<object | null> {
    const [from, to] = [await createGroup(), await createGroup()];
    await as.post(`/groups/${to.id}/milestones`, { title: 'v1.0', due_date: '2040-01-01' });
    const first = await exported('groups', await makeTree(tree, from.id, 'team'));
    const form = importForm(first, { name: 'Group 0', path: 'team', parent_id: to.id });
    const sent = await as.raw('POST', '/api/v4/groups/import', form);
    await app.work();
    const { body: groups } = await as.get(`/groups/${to.id}/subgroups`);
    const id = (groups as CreatedRecord[])[0]?.id ?? 0;
    const { body: status } = await as.get(`/groups/${id}/import`);
    const differences = await diff(first, await exported('groups', id));
    const fine = status.status === 'finished' && status.failures_count === 0 && differences.length === 0;
    return fine ? null : { sent: sent.status, status, differences };
  }

  /** The same for a project, next to the original in its group. */
  async function projectRoundTrip(tree: GeneratedProject): Promise<object | null> {
    const group = await createGroup();
    await create(`/groups/${group.id}/members`, { user_id: (users[0] as BuiltUser).id, access_level: 30 });
    const first = await exported('projects', await makeProject(tree, group.id));
    const form = importForm(first, { name: 'Again', path: 'again', namespace: group.id });
    const sent = await as.raw('POST', '/api/v4/projects/import', form);
    if (sent.status !== 201) throw new Error(`Not imported: ${sent.text}`);
    await app.work();
    const { body: status } = await as.get(`/projects/${sent.body.id}/import`);
    const differences = await diff(first, await exported('projects', sent.body.id));
    const fine = status.import_status === 'finished' && status.failures_count === 0 && differences.length === 0;
    return fine ? null : { sent: sent.status, status, differences };
  }
  return { treeRoundTrip, projectRoundTrip };
}
