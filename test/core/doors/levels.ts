import type { TestApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import { through } from './rule.js';
import type { Rule } from './rule.js';
import type { BuiltProject } from './schedules.js';

interface Sandbox {
  app: TestApp;
  project: BuiltProject;
  people: Record<string, BuiltUser>;
}

interface Case {
  who: string;
  level: number;
}
const level = (who: string, access_level: number, open: boolean) => ({ input: { who, level: access_level }, open });
const as = ({ app, people }: Sandbox, { who }: Case) => app.as(people[who] as BuiltUser);

/** A token of the project with the level, made by an Owner. */
async function getToken({ app, project }: Sandbox, { level: access_level }: Case): Promise<string> {
  const path = `/projects/${project.id}/access_tokens`;
  const { body } = await app.as(project.owner).post(path, { name: 'x', scopes: ['api'], access_level });
  return `${path}/${body.id}`;
}

/** A member of the project with the level. */
async function getMember({ app, project }: Sandbox, { level: access_level }: Case): Promise<string> {
  const { id: user_id } = await app.build.user();
  await app.as(project.owner).post(`/projects/${project.id}/members`, { user_id, access_level });
  return `/projects/${project.id}/members/${user_id}`;
}

/** A group that the caller belongs to, so that they may invite it. */
async function getGroup({ app, people }: Sandbox, { who }: Case) {
  const group = await app.build.group();
  await app.build.groupMember(group, 'guest', people[who] as BuiltUser);
  return group;
}

/** Members of a project can neither grant, revoke nor obtain a level above their own. */
export const levelsAboveOnesOwn: Rule<Case, Sandbox> = {
  async sandbox(app) {
    const project = await app.build.project({ empty: true });
    const people = {
      developer: await app.build.member(project, 'developer'),
      maintainer: await app.build.member(project, 'maintainer'),
      owner: await app.build.member(project, 'owner'),
    };
    return { app, project, people };
  },
  cases: {
    'a Developer, Guest': level('developer', 10, false),
    'a Maintainer, Developer': level('maintainer', 30, true),
    'a Maintainer, Maintainer': level('maintainer', 40, true),
    'a Maintainer, Owner': level('maintainer', 50, false),
    'an Owner, Owner': level('owner', 50, true),
  },
  doors: {
    'REST, new token': async (w, g) =>
      through(
        await as(w, g).post(`/projects/${w.project.id}/access_tokens`, {
          name: 'x',
          scopes: ['api'],
          access_level: g.level,
        }),
      ),
    'REST, rotated token': async (w, g) => through(await as(w, g).post(`${await getToken(w, g)}/rotate`, {})),
    'REST, revoked token': async (w, g) => through(await as(w, g).delete(await getToken(w, g))),
    'REST, new member': async (w, g) =>
      through(
        await as(w, g).post(`/projects/${w.project.id}/members`, {
          user_id: (await w.app.build.user()).id,
          access_level: g.level,
        }),
      ),
    'REST, raised member': async (w, g) =>
      through(await as(w, g).put(await getMember(w, { ...g, level: 15 }), { access_level: g.level })),
    'REST, lowered member': async (w, g) => through(await as(w, g).put(await getMember(w, g), { access_level: 10 })),
    'REST, removed member': async (w, g) => through(await as(w, g).delete(await getMember(w, g))),
    'REST, invited group': async (w, g) => {
      const group = await getGroup(w, g);
      const path = `/projects/${w.project.id}/share`;
      return through(await as(w, g).post(path, { group_id: group.id, group_access: g.level }));
    },
    'REST, group that is invited no longer': async (w, g) => {
      const group = await getGroup(w, g);
      const path = `/projects/${w.project.id}/share`;
      await w.app.build.groupMember(group, 'guest', w.project.owner);
      await w.app.as(w.project.owner).post(path, { group_id: group.id, group_access: g.level });
      return through(await as(w, g).delete(`${path}/${group.id}`));
    },
  },
};
