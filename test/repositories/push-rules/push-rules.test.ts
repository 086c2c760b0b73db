import test from 'ava';
import type { ContainerKind } from '../../../shared/core/operations/container.js';
import { useApp } from '../../core/app.js';

const app = useApp(test);

async function built(kind: ContainerKind) {
  const group = await app.build.group();
  if (kind === 'group')
    return {
      path: `/groups/${group.id}`,
      keeper: group.owner,
      below: await app.build.groupMember(group, 'maintainer'),
    };
  const project = await app.build.projectIn(group);
  return { path: `/projects/${project.id}`, keeper: group.owner, below: await app.build.member(project, 'developer') };
}

for (const kind of ['project', 'group'] as const) {
  // Contract: push-rules-1.read, push-rules-1.change
  test(`a ${kind} has at most one push rule, which its first change makes`, async (t) => {
    const { path, keeper } = await built(kind);
    const as = app.as(keeper);
    t.is((await as.get(`${path}/push_rule`)).status, 404);
    const first = await as.put(`${path}/push_rule`, { commit_message_regex: '^Fix', deny_delete_tag: true });
    t.is(first.status, 200);
    const second = await as.put(`${path}/push_rule`, { commit_message_regex: null, max_file_size: 5 });
    t.deepEqual(second.body, {
      id: first.body.id,
      commit_message_regex: null,
      branch_name_regex: null,
      deny_delete_tag: true,
      member_check: false,
      max_file_size: 5,
      created_at: first.body.created_at,
    });
    t.deepEqual((await as.get(`${path}/push_rule`)).body, second.body);
    const events = (await as.get(`${path}/audit_events`)).body as { details: { custom_message?: string } }[];
    const messages = events.map(({ details }) => details.custom_message ?? '');
    t.true(messages.includes('Changed deny delete tag from false to true'), messages.join('\n'));
  });

  // Contract: push-rules-1.expressions, push-rules-1.roles
  test(`the push rule of a ${kind} is for who runs it, and its expressions are valid`, async (t) => {
    const { path, keeper, below } = await built(kind);
    const wrong = await app.as(keeper).put(`${path}/push_rule`, { branch_name_regex: '(' });
    t.deepEqual([wrong.status, wrong.body], [400, { message: { branch_name_regex: ['is invalid'] } }]);
    t.is((await app.as(below).get(`${path}/push_rule`)).status, 403);
    t.is((await app.as(below).put(`${path}/push_rule`, { member_check: true })).status, 403);
  });
}
