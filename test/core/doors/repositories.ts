import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { importFork } from '../../../shared/repositories/project-forks/import-fork.js';
import { isValidRefName } from '../../../shared/git/index.js';
import { getRepositoryPath } from '../../../shared/repositories/repositories/write-refs.js';
import type { TestApp } from '../app.js';
import { unique } from '../builders.js';
import type { BuiltUser } from '../builders.js';
import { Elsewhere, has, imports, mirrors } from './remotes.js';
import { through } from './rule.js';
import type { Door, Rule } from './rule.js';
import type { BuiltProject } from './schedules.js';

interface Sandbox {
  app: TestApp;
  project: BuiltProject;
  people: Record<string, BuiltUser>;
  base: string;
  elsewhere: Elsewhere;
}

/** A project in which only Maintainers may push to `main` and branches `stable-*`, and no one to `closed*`. */
async function sandbox(app: TestApp, t: ExecutionContext): Promise<Sandbox> {
  const project = await app.build.project();
  const base = `/projects/${project.id}`;
  for (const branch of ['work', 'closed'])
    await app.as(project.owner).post(`${base}/repository/branches`, { branch, ref: 'main' });
  await app.as(project.owner).post(`${base}/protected_branches`, { name: 'stable-*' });
  await app.as(project.owner).post(`${base}/protected_branches`, { name: 'closed*', push_access_level: 0 });
  const people = {
    reporter: await app.build.member(project, 'reporter'),
    developer: await app.build.member(project, 'developer'),
    maintainer: await app.build.member(project, 'maintainer'),
    owner: project.owner,
  };
  return { app, project, people, base, elsewhere: await Elsewhere.open(app, t) };
}

interface Case {
  who: string;
  branch: string;
}
const push = (who: string, branch: string, open: boolean) => ({ input: { who, branch }, open });
const as = ({ app, people }: Sandbox, { who }: Case) => app.as(people[who] as BuiltUser);
const text = (branch: string) => ({ branch, commit_message: 'x', content: 'x' });
const getFile = ({ base }: Sandbox) => `${base}/repository/files/file-${unique()}.txt`;
const action = () => [{ action: 'create', file_path: `file-${unique()}.txt`, content: 'x' }];

/** A file that an Owner put on the branch. */
async function fileOn(w: Sandbox, { branch }: Case): Promise<string> {
  const path = getFile(w);
  await w.app.as(w.project.owner).post(path, text(branch));
  return path;
}

/** Mirrors update the branch. In addition to push access, the user responsible for one must be a Maintainer. */
const MIRRORS: Record<string, Door<Case, Sandbox>> = Object.fromEntries(
  Object.entries({ 'REST, mirror': false, 'worker, mirror that they answer for': true }).map(([name, byWorker]) => [
    name,
    {
      demands: ({ who }: Case) => ['maintainer', 'owner'].includes(who),
      enter: async (w: Sandbox, { who, branch }: Case) =>
        (await mirrors(w, w.people[who] as BuiltUser, `refs/heads/${branch}`, { byWorker })) !== null,
    },
  ]),
);

/** The users who may change a branch: Developers or, for a protected branch, those permitted by its rule. */
export const pushesToBranches: Rule<Case, Sandbox> = {
  sandbox,
  cases: {
    'a Reporter': push('reporter', 'work', false),
    'a Developer': push('developer', 'work', true),
    'a Developer on a protected branch': push('developer', 'main', false),
    'a Maintainer on a protected branch': push('maintainer', 'main', true),
    'a Maintainer on a branch for nobody': push('maintainer', 'closed', false),
    'an Owner on a branch for nobody': push('owner', 'closed', false),
  },
  doors: {
    'REST, commit': async (w, g) =>
      through(
        await as(w, g).post(`${w.base}/repository/commits`, {
          branch: g.branch,
          commit_message: 'x',
          actions: action(),
        }),
      ),
    'REST, new file': async (w, g) => through(await as(w, g).post(getFile(w), text(g.branch))),
    'REST, edited file': async (w, g) =>
      through(await as(w, g).put(await fileOn(w, g), { ...text(g.branch), content: 'y' })),
    'REST, deleted file': async (w, g) => through(await as(w, g).delete(await fileOn(w, g), text(g.branch))),
    ...MIRRORS,
  },
};

const wild = (who: string, start: string, open: boolean) => push(who, start, open);

/** Ways to create a branch: the tested value is its name. */
const NEW_BRANCH: Rule<Case, Sandbox>['doors'] = {
  'REST, new branch': async (w, g) =>
    through(await as(w, g).post(`${w.base}/repository/branches`, { branch: g.branch, ref: 'main' })),
  'REST, commit on a new branch': async (w, g) =>
    through(
      await as(w, g).post(`${w.base}/repository/commits`, {
        branch: g.branch,
        start_branch: 'main',
        commit_message: 'x',
        actions: action(),
      }),
    ),
  'REST, file on a new branch': async (w, g) =>
    through(await as(w, g).post(getFile(w), { ...text(g.branch), start_branch: 'main' })),
};

/** A case is tried at each door: what it makes there is another branch each time. */
const numbered = (doors: Rule<Case, Sandbox>['doors']): Rule<Case, Sandbox>['doors'] =>
  Object.fromEntries(
    Object.entries(doors).map(([name, door]) => {
      const { enter, demands } = typeof door === 'function' ? { enter: door, demands: () => true } : door;
      const numbering = (w: Sandbox, g: Case) => enter(w, { ...g, branch: g.branch.replace('#', String(unique())) });
      return [name, { demands, enter: numbering }];
    }),
  );

/** The users who may create a branch whose name a rule protects. */
export const newProtectedBranches: Rule<Case, Sandbox> = {
  sandbox,
  cases: {
    'a Reporter': wild('reporter', 'feature-#', false),
    'a Developer': wild('developer', 'feature-#', true),
    'a Developer, of a protected name': wild('developer', 'stable-#', false),
    'a Maintainer, of a protected name': wild('maintainer', 'stable-#', true),
    'an Owner, of a name for nobody': wild('owner', 'closed-#', false),
  },
  doors: numbered({ ...NEW_BRANCH, ...MIRRORS }),
};

const pushBranch = (branch: string, open: boolean) => push('owner', branch, open);
const full = ({ branch }: Case) => `refs/heads/${branch}`;

/**
 * Forks a project whose repository has had the branch since before the rules existed. @returns whether the branch was
 * copied
 */
async function forks({ app }: Sandbox, input: Case): Promise<boolean> {
  // git itself has no such name.
  if (!isValidRefName(full(input))) return false;
  const source = await app.build.project();
  const { body: main } = await app.as(source.owner).get(`/projects/${source.id}/repository/branches/main`);
  const location = getRepositoryPath(app.context(), source);
  await appendFile(join(location, 'packed-refs'), `${main.commit.id} ${full(input)}\n`);
  const forker = await app.build.member(source, 'reporter');
  const { body } = await app.as(forker).post(`/projects/${source.id}/fork`);
  await importFork(app.context(), body.id, source.id, null);
  const { import_status: status, import_error: error } = (await app.as(forker).get(`/projects/${body.id}`)).body;
  if (status !== 'finished') throw new Error(`${input.branch}: ${status} ${error}`);
  return has(app, body, full(input), main.commit.id);
}

/** The valid names of branches. */
export const namesOfBranches: Rule<Case, Sandbox> = {
  sandbox,
  cases: {
    'a plain name': pushBranch('feature-#', true),
    'a name with a slash': pushBranch('feature/a-#', true),
    'a name beyond ASCII': pushBranch('ünïcode-#', true),
    'a full name': pushBranch('refs/heads/a-#', false),
    'an option': pushBranch('-x#', false),
    HEAD: pushBranch('HEAD', false),
    'an object id': pushBranch('a'.repeat(40), false),
    'two dots': pushBranch('a..b#', false),
    'a space': pushBranch('a b#', false),
    'the end of a lock': pushBranch('a#.lock', false),
    'a control character': pushBranch('a\u0001#', false),
    'an endless name': pushBranch('x'.repeat(251), false),
  },
  doors: {
    ...numbered({ ...NEW_BRANCH, ...MIRRORS, 'worker, import': (w, g) => imports(w, w.project.owner, full(g)) }),
    'worker, fork': (w, g) => forks(w, { ...g, branch: g.branch.replace('#', '') }),
    'REST, default branch of a new project': async (w, g) =>
      through(
        await as(w, g).post('/projects', {
          name: `Named ${unique()}`,
          default_branch: g.branch.replace('#', ''),
          initialize_with_readme: true,
        }),
      ),
    'REST, first commit of an empty project': async (w, g) => {
      const empty = await w.app.build.project({ owner: w.project.owner, empty: true });
      const path = `/projects/${empty.id}/repository/files/a.txt`;
      return through(await as(w, g).post(path, text(g.branch.replace('#', ''))));
    },
    'REST, default branch of a group': async (w, g) => {
      const group = await w.app.build.group({ owner: w.project.owner });
      return through(await as(w, g).put(`/groups/${group.id}`, { default_branch: g.branch.replace('#', '') }));
    },
  },
};
