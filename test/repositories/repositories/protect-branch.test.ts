import test from 'ava';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function projectWithBranch() {
  const project = await app.build.project({ visibility: 'public' });
  const owner = app.as(project.owner);
  const branches = `/projects/${project.id}/repository/branches`;
  await owner.post(branches, { branch: 'feature/x', ref: 'main' });
  const at = (what: string, name = 'feature%2Fx') => `${branches}/${name}/${what}`;
  const levels = async (name = 'feature%2Fx') => {
    const { body } = await owner.get(`/projects/${project.id}/protected_branches/${name}`);
    const of = (entries: { access_level: number | null; user_id: number | null }[]) =>
      entries.map(({ access_level: level, user_id: user }) => level ?? `user ${user}`);
    return body.name === undefined ? null : [of(body.push_access_levels), of(body.merge_access_levels)];
  };
  return { project, owner, at, levels };
}

// Contract: protected-branches-7.9
test('a branch is protected by its name, for Maintainers or Developers, and unprotected', async (t) => {
  const { project, owner, at, levels } = await projectWithBranch();
  const { status, body } = await owner.put(at('protect'));
  t.is(status, 200);
  t.like(body, { name: 'feature/x', protected: true, developers_can_push: false, developers_can_merge: false });
  t.deepEqual(await levels(), [[40], [40]]);
  const opened = await owner.put(at('protect'), { developers_can_push: true });
  t.like(opened.body, { protected: true, developers_can_push: true, developers_can_merge: false });
  t.deepEqual(await levels(), [[30], [40]]);
  await owner.put(at('protect'), { developers_can_push: 'false', developers_can_merge: 'true' });
  t.deepEqual(await levels(), [[40], [30]]);
  await owner.put(at('protect'));
  t.deepEqual(await levels(), [[40], [30]], 'what is not named stays');
  const events = (await owner.get(`/projects/${project.id}/audit_events`)).body;
  t.true(events.some(({ details }: { details: object }) => JSON.stringify(details).includes('feature/x')));
  const undone = await owner.put(at('unprotect'));
  t.is(undone.status, 200);
  t.like(undone.body, { name: 'feature/x', protected: false });
  t.is(await levels(), null);
  t.is((await owner.put(at('unprotect'))).status, 200, 'again, nothing happens');
});

// Contract: protected-branches-7.9
test('whoever the rule named gives way to the role, and a rule that names who may change it is obeyed', async (t) => {
  const { project, owner, at, levels } = await projectWithBranch();
  const developer = await app.build.member(project, 'developer');
  await owner.post(`/projects/${project.id}/protected_branches`, {
    name: 'feature/x',
    allowed_to_push: [{ user_id: developer.id }],
    allowed_to_unprotect: [{ user_id: project.owner.id }],
  });
  const maintainer = app.as(await app.build.member(project, 'maintainer'));
  t.is((await maintainer.put(at('protect'), { developers_can_merge: true })).status, 403);
  t.is((await maintainer.put(at('unprotect'))).status, 403);
  t.deepEqual(await levels(), [[`user ${developer.id}`], [40]]);
  t.is((await owner.put(at('protect'), { developers_can_push: false })).status, 200);
  t.deepEqual(await levels(), [[40], [40]]);
});

// Contract: protected-branches-7.9
test('branches are protected by Maintainers, by exact names of branches that there are', async (t) => {
  const { project, owner, at, levels } = await projectWithBranch();
  const developer = app.as(await app.build.member(project, 'developer'));
  for (const what of ['protect', 'unprotect']) {
    t.is((await app.anonymous.put(at(what))).status, 401);
    t.is((await developer.put(at(what))).status, 403);
    const { status, body } = await owner.put(at(what, 'none'));
    t.deepEqual([status, body], [404, { message: '404 Branch Not Found' }]);
  }
  t.deepEqual((await owner.put(at('protect'), { developers_can_push: 'maybe' })).body, {
    error: 'developers_can_push is invalid',
  });
  await owner.post(`/projects/${project.id}/protected_branches`, { name: 'feature/*' });
  t.like((await owner.put(at('unprotect'))).body, { protected: true }, 'a pattern stays');
  await owner.put(at('protect'), { developers_can_push: true });
  t.deepEqual(await levels(), [[30], [40]]);
});
