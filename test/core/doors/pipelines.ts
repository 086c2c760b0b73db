import type { ExecutionContext } from 'ava';
import { sql } from 'kysely';
import { makePushPipelines } from '../../../shared/ci/pipeline-creation/create-push-pipelines.js';
import { insertPipelines } from '../../../shared/ci/pipelines/insert-pipelines.js';
import type { TestApp } from '../app.js';
import { unique } from '../builders.js';
import type { BuiltUser } from '../builders.js';
import { Elsewhere, mirrors } from './remotes.js';
import { mutates, through } from './rule.js';
import type { Door, Rule } from './rule.js';
import { createByGraphql, NIGHTLY, runByWorker, getSchedule } from './schedules.js';
import type { BuiltProject } from './schedules.js';

interface Sandbox {
  app: TestApp;
  project: BuiltProject;
  people: Record<string, BuiltUser>;
  sha: string;
  elsewhere: Elsewhere;
}

/**
 * A project in which only Maintainers may push to `main` and tags `v*`, all members with push access to `work` and the
 * tag `free`, and no one to `closed`.
 */
async function sandbox(app: TestApp, t: ExecutionContext): Promise<Sandbox> {
  const project = await app.build.project();
  const owner = app.as(project.owner);
  const path = `/projects/${project.id}`;
  await owner.post(`${path}/repository/branches`, { branch: 'closed', ref: 'main' });
  await owner.post(`${path}/protected_branches`, { name: 'closed', push_access_level: 0, merge_access_level: 0 });
  const { body } = await owner.post(`${path}/repository/branches`, { branch: 'work', ref: 'main' });
  for (const tag_name of ['v1', 'free']) await owner.post(`${path}/repository/tags`, { tag_name, ref: 'main' });
  await owner.post(`${path}/protected_tags`, { name: 'v*', create_access_level: 40 });
  await app.set({ ci_pipeline_schedules: 0 });
  const people = {
    reporter: await app.build.member(project, 'reporter'),
    developer: await app.build.member(project, 'developer'),
    maintainer: await app.build.member(project, 'maintainer'),
  };
  return { app, project, people, sha: body.commit.id, elsewhere: await Elsewhere.open(app, t) };
}

interface Case {
  who: string;
  ref: string;
}
const onRef = (who: string, ref: string, open: boolean) => ({ input: { who, ref }, open });
const who = ({ people }: Sandbox, { who: name }: Case) => people[name] as BuiltUser;
const full = (ref: string) => (['v1', 'free'].includes(ref) ? `refs/tags/${ref}` : `refs/heads/${ref}`);
const below = ({ project }: Sandbox, rest: string) => `/projects/${project.id}${rest}`;

/** A request by a user about a schedule of theirs. */
const ofTheirs = (ref: 'input' | 'work') => async (w: Sandbox, g: Case) =>
  getSchedule(w.app, w.project, who(w, g), ref === 'input' ? full(g.ref) : 'work');

/** An existing pipeline on the ref, regardless of who may create one. */
async function pipelineOn({ app, project, sha }: Sandbox, g: Case): Promise<string> {
  const ctx = app.context();
  const [id] = await ctx.transaction(() =>
    insertPipelines(ctx, [
      {
        project_id: project.id,
        ref: full(g.ref),
        sha,
        source: 'push',
        user_id: project.owner.id,
        pipeline_schedule_id: null,
        variables: [],
        inputs: null,
      },
    ]),
  );
  return `/projects/${project.id}/pipelines/${id}`;
}

/**
 * Whether an update of a mirror creates a pipeline. A tag is a new one, because an existing protected tag is not
 * changed.
 */
const mirrorDoor = (byWorker: boolean): Door<Case, Sandbox> => ({
  demands: ({ who: name }) => name === 'maintainer',
  async enter(w, g) {
    const ref = full(g.ref).startsWith('refs/tags/') ? `${full(g.ref)}.${unique()}` : full(g.ref);
    const sha = await mirrors(w, who(w, g), ref, { byWorker, mirror_trigger_builds: true });
    if (sha === null) return false;
    // What the job of a mirror does: that of all jobs would do those of other doors.
    await makePushPipelines(w.app.context(), {
      project_id: w.project.id,
      user_id: who(w, g).id,
      at: w.app.clock.now().toISOString(),
      refs: [{ ref, from: null, to: sha }],
      records: true,
    });
    const pipelines = await w.app.context().query(sql`
      select p.id as "id" from pipelines p where p.project_id = ${w.project.id} and p.sha = ${sha}`);
    return pipelines.length > 0;
  },
});

/** Who has pipelines made on which ref: by role, and on a protected one by its rule. */
export const pipelinesOnRefs: Rule<Case, Sandbox> = {
  sandbox,
  cases: {
    'a Reporter on a branch': onRef('reporter', 'work', false),
    'a Developer on a branch': onRef('developer', 'work', true),
    'a Developer on a tag': onRef('developer', 'free', true),
    'a Developer on a protected branch': onRef('developer', 'main', false),
    'a Developer on a protected tag': onRef('developer', 'v1', false),
    'a Maintainer on a protected branch': onRef('maintainer', 'main', true),
    'a Maintainer on a protected tag': onRef('maintainer', 'v1', true),
    'a Maintainer on a branch for nobody': onRef('maintainer', 'closed', false),
  },
  doors: {
    'REST, new pipeline': async (w, g) =>
      through(await w.app.as(who(w, g)).post(below(w, '/pipeline'), { ref: full(g.ref) })),
    'REST, new schedule': async (w, g) =>
      through(await w.app.as(who(w, g)).post(below(w, '/pipeline_schedules'), { ...NIGHTLY, ref: full(g.ref) })),
    'GraphQL, new schedule': (w, g) => createByGraphql(w.app, who(w, g), w.project, { ref: full(g.ref) }),
    'REST, another ref for a schedule': async (w, g) =>
      through(await w.app.as(who(w, g)).put((await ofTheirs('work')(w, g)).path, { ref: full(g.ref) })),
    'GraphQL, another ref for a schedule': async (w, g) =>
      mutates(w.app, who(w, g), 'pipelineScheduleUpdate', {
        id: (await ofTheirs('work')(w, g)).gid,
        ref: full(g.ref),
      }),
    'REST, another cron for a schedule': async (w, g) =>
      through(await w.app.as(who(w, g)).put((await ofTheirs('input')(w, g)).path, { cron: '1 1 * * *' })),
    'REST, play': async (w, g) => {
      const { path } = await getSchedule(w.app, w.project, w.project.owner, full(g.ref));
      return through(await w.app.as(who(w, g)).post(`${path}/play`));
    },
    'GraphQL, play': async (w, g) => {
      const { gid: id } = await getSchedule(w.app, w.project, w.project.owner, full(g.ref));
      return mutates(w.app, who(w, g), 'pipelineSchedulePlay', { id });
    },
    'worker, a run that is due': async (w, g) => (await runByWorker(w.app, await ofTheirs('input')(w, g))) !== null,
    'worker, a run that was played': async (w, g) => {
      const schedule = await getSchedule(w.app, w.project, w.project.owner, full(g.ref));
      return (await runByWorker(w.app, schedule, who(w, g))) !== null;
    },
    'REST, status of a commit': async (w, g) =>
      through(await w.app.as(who(w, g)).post(below(w, `/statuses/${w.sha}`), { state: 'pending', ref: full(g.ref) })),
    'REST, retry': async (w, g) => through(await w.app.as(who(w, g)).post(`${await pipelineOn(w, g)}/retry`)),
    'REST, cancel': async (w, g) => through(await w.app.as(who(w, g)).post(`${await pipelineOn(w, g)}/cancel`)),
    'REST, metadata': async (w, g) =>
      through(await w.app.as(who(w, g)).put(`${await pipelineOn(w, g)}/metadata`, { name: 'x' })),
    'REST, mirror': mirrorDoor(false),
    'worker, mirror that they answer for': mirrorDoor(true),
  },
};

const setting = (who: string, open: boolean) => onRef(who, 'work', open);
const VARIABLE = { key: 'KEY', value: 'v' };
const FOR_GRAPHQL = [{ ...VARIABLE, variableType: 'ENV_VAR' }];

/** Who gives variables to pipelines, where the project leaves that to Maintainers. */
export const variablesOfPipelines: Rule<Case, Sandbox> = {
  async sandbox(app, t) {
    const created = await sandbox(app, t);
    const changed = await app
      .as(created.project.owner)
      .put(below(created, ''), { ci_pipeline_variables_minimum_override_role: 'maintainer' });
    if (changed.status !== 200) throw new Error(changed.text);
    return created;
  },
  cases: {
    'a Reporter': setting('reporter', false),
    'a Developer': setting('developer', false),
    'a Maintainer': setting('maintainer', true),
  },
  doors: {
    'REST, new pipeline': async (w, g) =>
      through(await w.app.as(who(w, g)).post(below(w, '/pipeline'), { ref: g.ref, variables: [VARIABLE] })),
    'REST, variable of a schedule': async (w, g) =>
      through(await w.app.as(who(w, g)).post(`${(await ofTheirs('input')(w, g)).path}/variables`, VARIABLE)),
    'GraphQL, new schedule': (w, g) =>
      createByGraphql(w.app, who(w, g), w.project, { ref: g.ref, variables: FOR_GRAPHQL }),
    'GraphQL, edited schedule': async (w, g) =>
      mutates(w.app, who(w, g), 'pipelineScheduleUpdate', {
        id: (await ofTheirs('input')(w, g)).gid,
        variables: FOR_GRAPHQL,
      }),
  },
};
