import test from 'ava';
import { pushRules } from '../../../shared/repositories/push-rules/push-rule.entity.js';
import { settingEntries } from '../../../shared/tenancy/namespaces/declared-settings.js';
import { useApp } from '../../core/app.js';
import { KINDS } from '../../planning/containers.js';

const app = useApp(test);

const INITIAL = Object.fromEntries(settingEntries(pushRules).map(([name, { initial }]) => [name, initial]));
const CHANGED = {
  deny_delete_tag: true,
  member_check: true,
  prevent_secrets: true,
  reject_unsigned_commits: true,
  commit_message_regex: '^[A-Z]',
  commit_message_negative_regex: 'wip',
  branch_name_regex: '^(main|feature/)',
  author_email_regex: '@example[.]com$',
  file_name_regex: '[.]jar$',
  max_file_size: 50,
};

for (const kind of KINDS) {
  const build = async () => {
    const container = kind === 'project' ? await app.build.project({ empty: true }) : await app.build.group();
    return { container, owner: app.as(container.owner), path: `/${kind}s/${container.id}/push_rule` };
  };

  // Contract: push-rules.create, push-rules.read, push-rules.update, push-rules.delete
  test(`a ${kind} has one push rule at most, which is created, read, edited and deleted`, async (t) => {
    const { owner, path } = await build();
    for (const method of ['get', 'delete'] as const)
      t.deepEqual(await owner[method](path).then(({ status, body }) => [status, body]), [
        404,
        { message: '404 Push Rule Not Found' },
      ]);
    t.is((await owner.put(path, { member_check: true })).status, 404);
    const created = await owner.post(path, {});
    t.is(created.status, 201);
    const { id } = created.body;
    t.deepEqual(created.body, { id, created_at: '2030-01-01T00:00:00.000Z', ...INITIAL });
    const again = await owner.post(path, CHANGED);
    t.is(again.status, 422);
    t.regex(again.text, /push rule exists/);
    const { status, body } = await owner.put(path, CHANGED);
    t.is(status, 200);
    t.deepEqual(body, { ...created.body, ...CHANGED });
    const cleared = { commit_message_regex: null, max_file_size: 0 };
    t.like((await owner.put(path, { commit_message_regex: '', max_file_size: 0 })).body, cleared);
    t.deepEqual((await owner.get(path)).body, { ...body, ...cleared });
    t.is((await owner.delete(path)).status, 204);
    t.is((await owner.get(path)).status, 404);
  });

  // Contract: push-rules.values
  test(`values that a push rule of a ${kind} cannot have are refused, and change nothing`, async (t) => {
    const { owner, path } = await build();
    await owner.post(path, {});
    for (const [wrong, message] of [
      [{ commit_message_regex: '(' }, { commit_message_regex: ['is invalid'] }],
      [{ file_name_regex: 'a'.repeat(512) }, { file_name_regex: ['is too long (maximum is 511 characters)'] }],
      [{ max_file_size: -1 }, { max_file_size: ['must be greater than or equal to 0'] }],
    ] as const) {
      const { status, body } = await owner.put(path, { member_check: true, ...wrong });
      t.is(status, 400);
      t.deepEqual(body, { message });
    }
    t.is((await owner.put(path, { deny_delete_tag: 'perhaps' })).status, 400);
    t.is((await owner.put(path, {})).status, 400);
    t.like((await owner.get(path)).body, INITIAL);
  });

  // Contract: push-rules.audit
  test(`changes of a push rule are in the audit log of its ${kind}`, async (t) => {
    const { container, owner, path } = await build();
    await owner.post(path, {});
    await owner.put(path, { max_file_size: 50 });
    await owner.delete(path);
    const { body } = await owner.get(`/${kind}s/${container.id}/audit_events?target_type=PushRule&sort=asc`);
    t.deepEqual(
      body.map(({ details }: { details: { custom_message: string } }) => details.custom_message),
      ['Added the push rule', 'Changed max file size from 0 to 50', 'Removed the push rule'],
    );
  });
}

// Contract: push-rules.role
test('Maintainers of a project and Owners of a group manage its push rule, others see none', async (t) => {
  const project = await app.build.project({ empty: true, visibility: 'public' });
  const path = `/projects/${project.id}/push_rule`;
  t.is((await app.as(await app.build.member(project, 'maintainer')).post(path, {})).status, 201);
  const developer = app.as(await app.build.member(project, 'developer'));
  for (const method of ['get', 'delete'] as const) t.is((await developer[method](path)).status, 403);
  t.is((await app.anonymous.get(path)).status, 401);
  t.is((await app.as(await app.build.user()).get(path)).status, 403);
  const group = await app.build.group();
  await app.as(group.owner).post(`/groups/${group.id}/push_rule`, {});
  const maintainer = await app.build.groupMember(group, 'maintainer');
  t.is((await app.as(maintainer).get(`/groups/${group.id}/push_rule`)).status, 403);
});

// Contract: push-rules.graphql
test('GraphQL shows the push rule of a project to whom may read it', async (t) => {
  const project = await app.build.project({ empty: true, visibility: 'public' });
  const query = `{ project(fullPath: "${project.full_path}") { pushRules { rejectUnsignedCommits maxFileSize } } }`;
  const read = async (caller = project.owner) => (await app.as(caller).graphql(query)).body.data.project.pushRules;
  t.is(await read(), null);
  await app.as(project.owner).post(`/projects/${project.id}/push_rule`, CHANGED);
  t.deepEqual(await read(), { rejectUnsignedCommits: true, maxFileSize: 50 });
  t.is(await read(await app.build.member(project, 'developer')), null);
});
