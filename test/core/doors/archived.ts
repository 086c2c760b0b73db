import type { ExecutionContext } from 'ava';
import { importFromUrl } from '../../../shared/repositories/project-imports/import-from-url.js';
import type { TestApp } from '../app.js';
import { unique } from '../builders.js';
import { Elsewhere, has, mirrors, updateNow } from './remotes.js';
import { mutates, through } from './rule.js';
import type { Rule } from './rule.js';
import { createByGraphql, NIGHTLY, runByWorker, getSchedule } from './schedules.js';
import type { BuiltProject } from './schedules.js';

interface ProjectSetup {
  app: TestApp;
  project: BuiltProject;
  base: string;
  schedule: Awaited<ReturnType<typeof getSchedule>>;
  elsewhere: Elsewhere;
  /** A project that mirrors an external repository, and one whose repository is not yet imported. */
  mirror: BuiltProject;
  imported: { id: number };
}

type Which = 'open' | 'archived';
type Sandbox = Record<Which, ProjectSetup>;

async function setUp(app: TestApp, elsewhere: Elsewhere): Promise<ProjectSetup> {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const base = `/projects/${project.id}`;
  await owner.post(`${base}/repository/branches`, { branch: 'work', ref: 'main' });
  const schedule = await getSchedule(app, project, project.owner, 'work');
  const mirror = await app.build.project({ owner: project.owner });
  await owner.put(`/projects/${mirror.id}`, { import_url: elsewhere.url, mirror: true });
  const { body: imported } = await owner.post('/projects', { name: `In ${unique()}`, import_url: elsewhere.url });
  return { app, project, base, schedule, elsewhere, mirror, imported };
}

async function archive({ app, project, mirror, imported }: ProjectSetup): Promise<void> {
  for (const { id } of [project, mirror, imported]) {
    const done = await app.as(project.owner).post(`/projects/${id}/archive`);
    if (done.status !== 201) throw new Error(done.text);
  }
}

/** A POST by the Owner of the project. */
const posts =
  (path: string, body: () => object = () => ({})) =>
  async (sandbox: Sandbox, which: Which) => {
    const { app, project, base } = sandbox[which];
    return through(await app.as(project.owner).post(base + path, body()));
  };

const change = () => ({ branch: 'work', commit_message: 'x' });

/** An archived project is not modified, for any caller and in any way. */
export const archivedProjects: Rule<Which, Sandbox> = {
  async sandbox(app: TestApp, t: ExecutionContext) {
    const elsewhere = await Elsewhere.open(app, t);
    const archived = await setUp(app, elsewhere);
    await archive(archived);
    return { open: await setUp(app, elsewhere), archived };
  },
  cases: {
    'a project': { input: 'open', open: true },
    'an archived project': { input: 'archived', open: false },
  },
  doors: {
    'REST, commit': posts('/repository/commits', () => ({
      ...change(),
      actions: [{ action: 'create', file_path: `${unique()}.txt`, content: 'x' }],
    })),
    'REST, new file': posts('/repository/files/new.txt', () => ({ ...change(), content: 'x' })),
    'REST, new branch': posts('/repository/branches', () => ({ branch: 'new', ref: 'main' })),
    'REST, new tag': posts('/repository/tags', () => ({ tag_name: 'v1', ref: 'main' })),
    'REST, new pipeline': posts('/pipeline', () => ({ ref: 'work' })),
    'REST, new schedule': posts('/pipeline_schedules', () => ({ ...NIGHTLY, ref: 'work' })),
    'GraphQL, new schedule': (sandbox, which) => {
      const { app, project } = sandbox[which];
      return createByGraphql(app, project.owner, project, { ref: 'work' });
    },
    'REST, play': async (sandbox, which) => {
      const { app, project, schedule } = sandbox[which];
      return through(await app.as(project.owner).post(`${schedule.path}/play`));
    },
    'GraphQL, play': (sandbox, which) => {
      const { app, project, schedule } = sandbox[which];
      return mutates(app, project.owner, 'pipelineSchedulePlay', { id: schedule.gid });
    },
    'worker, a run that is due': async (sandbox, which) => {
      const { app, schedule } = sandbox[which];
      return (await runByWorker(app, schedule)) !== null;
    },
    'worker, a run that was played': async (sandbox, which) => {
      const { app, project, schedule } = sandbox[which];
      return (await runByWorker(app, schedule, project.owner)) !== null;
    },
    'REST, mirror': async (sandbox, which) =>
      (await mirrors(sandbox[which], sandbox[which].project.owner, 'refs/heads/work')) !== null,
    'worker, mirror that is due': async (sandbox, which) => {
      const { app, elsewhere, mirror } = sandbox[which];
      const sha = await elsewhere.holds('refs/heads/main', mirror);
      await updateNow(app, mirror);
      return has(app, mirror, 'refs/heads/main', sha);
    },
    'worker, import that was asked for before': async (sandbox, which) => {
      const { app, elsewhere, imported } = sandbox[which];
      const sha = await elsewhere.holds('refs/heads/main');
      await importFromUrl(app.context(), imported.id, null);
      return has(app, imported, 'refs/heads/main', sha);
    },
    'REST, new access token': posts('/access_tokens', () => ({ name: 'x', scopes: ['api'] })),
  },
};
