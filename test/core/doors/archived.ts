import type { TestApp } from '../app.js';
import { unique } from '../builders.js';
import { mutates, through } from './rule.js';
import type { Rule } from './rule.js';
import { createByGraphql, NIGHTLY, runByWorker, scheduleOf } from './schedules.js';
import type { BuiltProject } from './schedules.js';

interface Place {
  app: TestApp;
  project: BuiltProject;
  base: string;
  schedule: Awaited<ReturnType<typeof scheduleOf>>;
}

type Which = 'open' | 'archived';
type World = Record<Which, Place>;

async function place(app: TestApp): Promise<Place> {
  const project = await app.build.project();
  const base = `/projects/${project.id}`;
  await app.as(project.owner).post(`${base}/repository/branches`, { branch: 'work', ref: 'main' });
  return { app, project, base, schedule: await scheduleOf(app, project, project.owner, 'work') };
}

/** A POST by the Owner of the project. */
const posts =
  (path: string, body: () => object = () => ({})) =>
  async (world: World, which: Which) => {
    const { app, project, base } = world[which];
    return through(await app.as(project.owner).post(base + path, body()));
  };

const change = () => ({ branch: 'work', commit_message: 'x' });

/** An archived project stays as it is, whoever asks in whatever way. */
export const archivedProjects: Rule<Which, World> = {
  async world(app) {
    const archived = await place(app);
    const done = await app.as(archived.project.owner).post(`${archived.base}/archive`);
    if (done.status !== 201) throw new Error(done.text);
    return { open: await place(app), archived };
  },
  cases: {
    'a project': { given: 'open', open: true },
    'an archived project': { given: 'archived', open: false },
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
    'GraphQL, new schedule': (world, which) => {
      const { app, project } = world[which];
      return createByGraphql(app, project.owner, project, { ref: 'work' });
    },
    'REST, play': async (world, which) => {
      const { app, project, schedule } = world[which];
      return through(await app.as(project.owner).post(`${schedule.path}/play`));
    },
    'GraphQL, play': (world, which) => {
      const { app, project, schedule } = world[which];
      return mutates(app, project.owner, 'pipelineSchedulePlay', { id: schedule.gid });
    },
    'worker, a run that is due': async (world, which) => {
      const { app, schedule } = world[which];
      return (await runByWorker(app, schedule)) !== null;
    },
    'worker, a run that was played': async (world, which) => {
      const { app, project, schedule } = world[which];
      return (await runByWorker(app, schedule, project.owner)) !== null;
    },
    'REST, new access token': posts('/access_tokens', () => ({ name: 'x', scopes: ['api'] })),
  },
};
