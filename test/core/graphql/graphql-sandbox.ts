import type { TestApp } from '../app.js';
import type { BuiltUser } from '../builders.js';
import { areaExamples } from '../examples.js';

/** How many objects of each type there are: a page of a connection. */
export const PARENTS = 100;

/**
 * An instance in which every object has all possible data: a number of groups below one group, each with its own
 * project, subgroup and member, and each with the data of the areas' examples.
 * @returns an administrator, and a Maintainer of all of it
 */
export async function fillGraphql(app: TestApp): Promise<{ admin: BuiltUser; member: BuiltUser }> {
  const { build } = app;
  const admin = await build.admin();
  const member = await build.user();
  const above = await build.group({ owner: admin, name: 'r', path: 'r', visibility: 'public' });
  await build.groupMember(above, 'maintainer', member);
  // The oldest project: the upstream of the others.
  await build.projectIn(above, { visibility: 'public' });
  // Lists of groups are by name: these come first.
  const letters = Array.from({ length: PARENTS }, (_, index) => `a${String(index).padStart(2, '0')}`);
  for (const [index, name] of letters.entries()) {
    const user = await build.user();
    const group = await build.group({ owner: admin, parent: above, name, path: name, visibility: 'public' });
    await build.group({ owner: admin, parent: group, name: 'z', path: 'z', visibility: 'public' });
    await build.groupMember(group, 'developer', user);
    const project = await build.projectIn(group, { visibility: 'public', empty: false });
    await build.member(project, 'maintainer', user);
    for (const { graphql } of areaExamples) await graphql?.fill?.({ app, admin, user, above, group, project, index });
  }
  // Whatever was sent with a token first writes down its use.
  for (const user of [admin, member]) await app.as(user).get('/version');
  await app.tokens.written();
  return { admin, member };
}
