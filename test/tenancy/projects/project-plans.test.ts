import test from 'ava';
import { useApp } from '../../core/app.js';
import type { Answer } from '../../core/client.js';

// The tests change or count state that all tests in the file share, so they run one at a time.
const app = useApp(test);

const keys = ({ body }: Answer) => Object.keys(body as object);

// Contract: interface-2.10.templates
test.serial('what a plan lacks is left out of the record', async (t) => {
  const project = await app.build.project();
  const fieldsIn = async (plan: 'free' | 'premium' | 'ultimate') => {
    await app.set({ plan });
    const found = new Set(keys(await app.as(project.owner).get(`/projects/${project.id}`)));
    return (...names: string[]) => names.map((name) => found.has(name));
  };
  const ultimate = ['only_allow_merge_if_all_status_checks_passed', 'compliance_frameworks', 'requirements_enabled'];
  const premium = ['issues_template', 'merge_requests_template', 'mirror', 'approvals_before_merge'];
  t.deepEqual((await fieldsIn('free'))(...premium, ...ultimate), Array(7).fill(false));
  t.deepEqual((await fieldsIn('premium'))(...premium, ...ultimate), [...Array(4).fill(true), ...Array(3).fill(false)]);
  t.deepEqual((await fieldsIn('ultimate'))(...premium, ...ultimate), Array(7).fill(true));
});

// Contract: interface-2.10.templates
test.serial('what a plan lacks is ignored when it is sent, and kept from before', async (t) => {
  const project = await app.build.project();
  const caller = app.as(project.owner);
  await caller.put(`/projects/${project.id}`, { issues_template: 'Before' });
  await app.set({ plan: 'free' });
  t.is((await caller.put(`/projects/${project.id}`, { issues_template: 'After', lfs_enabled: false })).status, 200);
  await app.set({ plan: 'ultimate' });
  const { body } = await caller.get(`/projects/${project.id}`);
  t.like(body, { issues_template: 'Before', lfs_enabled: false });
});

// Contract: projects-4.statements
test.serial(
  'one project is read by as few statements whatever is asked for, a page by a constant number',
  async (t) => {
    const group = await app.build.group({ visibility: 'public' });
    const projects = [];
    for (let index = 0; index < 4; index += 1)
      projects.push(await app.build.projectIn(group, { visibility: 'public' }));
    const caller = app.as(group.owner);
    const getStatements = async (path: string) => {
      await caller.get(path);
      return app.statementsOf(async () => t.is((await caller.get(path)).status, 200));
    };
    t.is(await getStatements(`/projects/${projects[0]?.id}`), 4);
    const few = await getStatements(`/groups/${group.id}/projects?per_page=2`);
    t.is(await getStatements(`/groups/${group.id}/projects?per_page=3`), few);
  },
);
