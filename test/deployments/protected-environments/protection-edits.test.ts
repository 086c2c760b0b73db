import test from 'ava';
import { useApp } from '../../core/app.js';
import { groupFixture, describeEntries, NOT_ONE, projectFixture, TOO_SHORT } from './protections.js';
import type { Entry } from './protections.js';

const app = useApp(test);
const NOT_FOUND = [404, { message: '404 Not found' }];

/** A protected environment of a project with two levels and two rules. */
async function twoOfEach() {
  const setup = await projectFixture(app);
  const member = await app.build.member(setup.project, 'developer');
  const { body } = await setup.protect('a', {
    deploy_access_levels: [{ access_level: 40 }, { user_id: member.id }],
    approval_rules: [{ access_level: 40, required_approvals: 3 }, { user_id: member.id }],
  });
  return { ...setup, member, protection: body, levels: body.deploy_access_levels, rules: body.approval_rules };
}

// Contract: protected-environments-6.1, interface-4.3.update, protected-environments-1.update, interface-3.2.protected-environment
test('entries without an id come, with it change, with _destroy go, and all others stay', async (t) => {
  const { update, get, levels, project } = await twoOfEach();
  const other = await app.build.member(project, 'developer');
  const { status, body } = await update('a', {
    deploy_access_levels: [{ id: levels[0].id, access_level: 30 }, { user_id: other.id }],
  });
  t.is(status, 200);
  t.deepEqual(describeEntries(body.deploy_access_levels), [30, `user ${levels[1].user_id}`, `user ${other.id}`]);
  t.deepEqual(
    body.deploy_access_levels.slice(0, 2).map(({ id }: Entry) => id),
    levels.map(({ id }: Entry) => id),
  );
  const gone = await update('a', { deploy_access_levels: [{ id: levels[1].id, _destroy: true }] });
  t.deepEqual(describeEntries(gone.body.deploy_access_levels), [30, `user ${other.id}`]);
  t.deepEqual((await get('a')).body, gone.body);
});

// Contract: protected-environments-6.2
test('an entry becomes another kind when the old one is taken away, else it names two', async (t) => {
  const { update, levels, rules, member } = await twoOfEach();
  const both = await update('a', { deploy_access_levels: [{ id: levels[0].id, user_id: member.id }] });
  t.deepEqual([both.status, both.body], [422, { message: [`Deploy access levels ${NOT_ONE}`] }]);
  const changed = { id: levels[0].id, user_id: member.id, access_level: null };
  const { body } = await update('a', {
    deploy_access_levels: [changed],
    approval_rules: [{ id: rules[1].id, user_id: '', access_level: 30 }],
  });
  t.deepEqual(describeEntries(body.deploy_access_levels), [`user ${member.id}`, `user ${member.id}`]);
  t.deepEqual(describeEntries(body.approval_rules), [40, 30]);
  t.is(body.approval_rules[1].id, rules[1].id);
  const nobody = await update('a', { deploy_access_levels: [{ id: levels[0].id, user_id: null }] });
  t.deepEqual([nobody.status, nobody.body], [422, { message: [`Deploy access levels ${NOT_ONE}`] }]);
});

// Contract: protected-environments-6.3, protected-environments-6.7
test('a rule goes by its id alone, and keeps its number of approvals where none is sent', async (t) => {
  const { update, rules } = await twoOfEach();
  const answer = await update('a', { approval_rules: [{ id: rules[0].id, access_level: 30 }] });
  t.deepEqual([answer.body.approval_rules[0].access_level, answer.body.approval_rules[0].required_approvals], [30, 3]);
  const gone = await update('a', { approval_rules: [{ id: rules[0].id, _destroy: true }] });
  t.deepEqual(
    gone.body.approval_rules.map(({ id }: Entry) => id),
    [rules[1].id],
  );
  const none = await update('a', { approval_rules: [{ required_approvals: 2 }] });
  t.is(none.status, 400, 'a new one has to name somebody');
});

// Contract: protected-environments-6.4
test('the last level stays, also when all go at once, and all rules may go', async (t) => {
  const { update, get, protection, levels, rules } = await twoOfEach();
  const all = (entries: Entry[]) => entries.map(({ id }) => ({ id, _destroy: true }));
  const rejection = await update('a', { deploy_access_levels: all(levels), approval_rules: all(rules) });
  t.deepEqual([rejection.status, rejection.body], [422, TOO_SHORT]);
  t.deepEqual((await get('a')).body, protection);
  const replaced = await update('a', { deploy_access_levels: [...all(levels), { access_level: 30 }] });
  t.deepEqual(describeEntries(replaced.body.deploy_access_levels), [30], 'one that comes takes their place');
  t.deepEqual((await update('a', { approval_rules: all(rules) })).body.approval_rules, []);
});

test('of all who remove the last levels at once one is refused', async (t) => {
  const { update, get, levels } = await twoOfEach();
  const answers = await Promise.all(
    levels.map(({ id }: Entry) => update('a', { deploy_access_levels: [{ id, _destroy: true }] })),
  );
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422]);
  t.is((await get('a')).body.deploy_access_levels.length, 1);
});

// Contract: protected-environments-6.5
test('with one mistake nothing changes', async (t) => {
  const { update, get, protection, levels, rules } = await twoOfEach();
  const mistakes = [
    { approval_rules: [{ id: rules[0].id, required_approvals: 6 }] },
    { approval_rules: [{ id: 999_999, _destroy: true }] },
    { required_approval_count: 6 },
  ];
  for (const mistake of mistakes) {
    const answer = await update('a', { deploy_access_levels: [{ id: levels[0].id, access_level: 30 }], ...mistake });
    t.true(answer.status >= 400);
    t.deepEqual((await get('a')).body, protection);
  }
});

// Contract: protected-environments-4.foreign-id
test('an entry of another environment, of another kind or of none is 404', async (t) => {
  const { update, protect, levels, rules } = await twoOfEach();
  const other = await protect('b', { approval_rules: [{ access_level: 30 }] });
  const foreign = other.body.deploy_access_levels[0].id;
  const ids = new Set(levels.map(({ id }: Entry) => id));
  for (const id of [foreign, 999_999, rules.map((rule: Entry) => rule.id).find((rule: number) => !ids.has(rule))])
    for (const entry of [
      { id, access_level: 30 },
      { id, _destroy: true },
    ]) {
      if (id === undefined) continue;
      const { status, body } = await update('a', { deploy_access_levels: [entry] });
      t.deepEqual([status, body], NOT_FOUND);
    }
  t.is((await update('b', { approval_rules: [{ id: rules[0].id, access_level: 40 }] })).status, 404);
});

test('of an entry that is named twice the later values hold, and one that is to go goes', async (t) => {
  const { update, levels, rules } = await twoOfEach();
  const { body } = await update('a', {
    deploy_access_levels: [
      { id: levels[0].id, access_level: 60 },
      { id: levels[0].id, access_level: 30 },
    ],
    approval_rules: [
      { id: rules[0].id, _destroy: true },
      { id: rules[0].id, access_level: 30 },
    ],
  });
  t.deepEqual(describeEntries(body.deploy_access_levels)[0], 30);
  t.deepEqual(
    body.approval_rules.map(({ id }: Entry) => id),
    [rules[1].id],
  );
});

// Contract: protected-environments-6.6, protected-environments-6.8
test('the path names the environment: a name in the body is ignored, and what is not protected is 404', async (t) => {
  const { update, get } = await twoOfEach();
  const { body } = await update('a', { name: 'b', required_approval_count: 1 });
  t.deepEqual([body.name, body.required_approval_count], ['a', 1]);
  const { status, body: missing } = await update('b', { deploy_access_levels: [{ access_level: 40 }] });
  t.deepEqual([status, missing], NOT_FOUND);
  t.is((await get('b')).status, 404);
});

// Contract: protected-environments-8.terraform, protected-environments-2.order
test('an update that is repeated in another order of entries changes no id and shows no difference', async (t) => {
  const { update, protection, levels, rules } = await twoOfEach();
  const sent = (entries: Entry[]) => entries.map(({ access_level_description: _description, ...entry }) => entry);
  const forward = { deploy_access_levels: sent(levels), approval_rules: sent(rules) };
  const backward = { deploy_access_levels: sent(levels).toReversed(), approval_rules: sent(rules).toReversed() };
  t.deepEqual((await update('a', forward)).body, protection);
  t.deepEqual((await update('a', backward)).body, protection);
  const withoutIds = {
    deploy_access_levels: backward.deploy_access_levels.map(({ id: _id, ...entry }) => entry),
    approval_rules: backward.approval_rules.map(({ id: _id, ...entry }) => entry),
  };
  t.deepEqual((await update('a', withoutIds)).body, protection, 'what is there already is not added again');
});

test('both kinds are edited alike in a group', async (t) => {
  const { protect, update, group, keeper } = await groupFixture(app);
  const { body } = await protect('production', { approval_rules: [{ group_id: group.id }] });
  const [level] = body.deploy_access_levels;
  const [rule] = body.approval_rules;
  const edited = await update('production', {
    deploy_access_levels: [{ user_id: keeper.id }, { id: level.id, _destroy: true }],
    approval_rules: [{ id: rule.id, group_inheritance_type: 1, required_approvals: 2 }],
  });
  t.deepEqual(describeEntries(edited.body.deploy_access_levels), [`user ${keeper.id}`]);
  t.like(edited.body.approval_rules[0], { ...rule, group_inheritance_type: 1, required_approvals: 2 });
});
