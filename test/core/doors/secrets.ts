import type { TestApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import type { Rule } from './rule.js';
import { runByWorker, getSchedule } from './schedules.js';
import type { BuiltProject } from './schedules.js';

const SECRET = 'what only some may know';

interface Sandbox {
  app: TestApp;
  project: BuiltProject;
  people: Record<string, BuiltUser>;
  schedule: Awaited<ReturnType<typeof getSchedule>>;
  /** The path of a run of it that was due. */
  run: string;
}

async function sandbox(app: TestApp): Promise<Sandbox> {
  const project = await app.build.project();
  await app.as(project.owner).post(`/projects/${project.id}/repository/branches`, { branch: 'work', ref: 'main' });
  const [author, other] = [await app.build.member(project, 'developer'), await app.build.member(project, 'developer')];
  const people = {
    author,
    other,
    stranger: await app.build.user(),
    reporter: await app.build.member(project, 'reporter'),
    maintainer: await app.build.member(project, 'maintainer'),
    admin: await app.build.admin(),
  };
  const schedule = await getSchedule(app, project, author, 'work');
  await app.as(author).post(`${schedule.path}/variables`, { key: 'KEY', value: SECRET });
  const run = `/projects/${project.id}/pipelines/${await runByWorker(app, schedule)}`;
  return { app, project, people, schedule, run };
}

const revealsSecret = async (w: Sandbox, name: string, path: string) =>
  (await w.app.as(w.people[name] as BuiltUser).get(path)).text.includes(SECRET);

/** The users who receive the values of a schedule's variables. */
export const valuesOfSchedules: Rule<string, Sandbox> = {
  sandbox,
  cases: {
    'its owner': { input: 'author', open: true },
    'a Maintainer': { input: 'maintainer', open: true },
    'an administrator': { input: 'admin', open: true },
    'another Developer': { input: 'other', open: false },
    'a Reporter': { input: 'reporter', open: false },
    'a stranger': { input: 'stranger', open: false },
  },
  doors: {
    'REST, the schedule': (w, who) => revealsSecret(w, who, w.schedule.path),
    'REST, the variable': (w, who) => revealsSecret(w, who, `${w.schedule.path}/variables/KEY`),
    'REST, variables of a run': (w, who) => revealsSecret(w, who, `${w.run}/variables`),
    'GraphQL, schedules of a project': async (w, who) => {
      const nodes = 'nodes { variables { nodes { value } } }';
      const { text } = await w.app
        .as(w.people[who] as BuiltUser)
        .graphql(`{ project(fullPath: "${w.project.full_path}") { pipelineSchedules { ${nodes} } } }`);
      return text.includes(SECRET);
    },
  },
};
