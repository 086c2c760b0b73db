import type { TestApp } from '../../core/app.js';
import type { BuiltUser } from '../../core/builders.js';

export interface Entry {
  id: number;
  access_level: number | null;
  access_level_description: string;
  user_id: number | null;
  group_id: number | null;
  group_inheritance_type: number;
  required_approvals?: number;
}

/** The subjects of entries, without the entries' ids. */
export const describeEntries = (entries: readonly Entry[]): (string | number)[] =>
  entries.map(({ access_level: level, user_id: user, group_id: group }) =>
    level === null ? (user === null ? `group ${group}` : `user ${user}`) : level,
  );

export const TOO_SHORT = { message: ['Deploy access levels is too short (minimum is 1 character)'] };
export const NOT_ONE = 'base Exactly one of access_level, group_id, user_id must be present';

const withCalls = (app: TestApp, path: string, keeper: BuiltUser) => ({
  path: (rest = '') => `${path}/protected_environments${rest}`,
  keeper,
  list: () => app.as(keeper).get(`${path}/protected_environments`),
  get: (name: string) => app.as(keeper).get(`${path}/protected_environments/${encodeURIComponent(name)}`),
  protect: (name: string, attributes: object = {}) =>
    app.as(keeper).post(`${path}/protected_environments`, {
      name,
      deploy_access_levels: [{ access_level: 40 }],
      ...attributes,
    }),
  update: (name: string, attributes: object) =>
    app.as(keeper).put(`${path}/protected_environments/${encodeURIComponent(name)}`, attributes),
  unprotect: (name: string) => app.as(keeper).delete(`${path}/protected_environments/${encodeURIComponent(name)}`),
});

/** A project in a group of its own, and its Maintainer. */
export async function projectFixture(app: TestApp) {
  const group = await app.build.group();
  const project = await app.build.projectIn(group);
  const keeper = await app.build.member(project, 'maintainer');
  return { group, project, ...withCalls(app, `/projects/${project.id}`, keeper) };
}

/** A group and its Owner. */
export async function groupFixture(app: TestApp, parent?: { id: number }) {
  const group = await app.build.group(parent ? { parent } : {});
  const keeper = await app.build.groupMember(group, 'owner');
  return { group, ...withCalls(app, `/groups/${group.id}`, keeper) };
}
