import test from 'ava';
import { sql } from 'kysely';
import { useApp } from '../../core/app.js';
import { groupFixture, describeEntries, NOT_ONE, projectFixture, TOO_SHORT } from './protections.js';

const app = useApp(test);

// Contract: interface-4.3.create, interface-4.3.get, interface-4.3.list, interface-2.3.name, interface-2.3.deploy_access_levels, interface-2.3.required_approval_count, protected-environments-1.create, protected-environments-1.get, protected-environments-2.object
test('a tier of a group is protected with levels and rules, and read again', async (t) => {
  const { keeper, group, protect, get, list } = await groupFixture(app);
  const response = await protect('production', {
    deploy_access_levels: [{ access_level: 40 }, { user_id: keeper.id }],
    approval_rules: [{ group_id: group.id, required_approvals: 2, group_inheritance_type: 1 }],
  });
  t.is(response.status, 201);
  const [first, second] = response.body.deploy_access_levels;
  const [rule] = response.body.approval_rules;
  t.deepEqual(response.body, {
    name: 'production',
    deploy_access_levels: [
      {
        id: first.id,
        access_level: 40,
        access_level_description: 'Maintainers',
        user_id: null,
        group_id: null,
        group_inheritance_type: 0,
      },
      {
        id: second.id,
        access_level: null,
        access_level_description: keeper.name,
        user_id: keeper.id,
        group_id: null,
        group_inheritance_type: 0,
      },
    ],
    required_approval_count: 0,
    approval_rules: [
      {
        id: rule.id,
        access_level: null,
        access_level_description: group.name,
        user_id: null,
        group_id: group.id,
        group_inheritance_type: 1,
        required_approvals: 2,
      },
    ],
  });
  t.true(second.id > first.id);
  const read = await get('production');
  t.deepEqual([read.status, read.body], [200, response.body]);
  t.deepEqual((await list()).body, [response.body]);
});

// Contract: protected-environments-1.list
test('lists are in the order of names, by pages', async (t) => {
  const { protect, path, keeper } = await projectFixture(app);
  for (const name of ['staging', 'production', 'dev']) await protect(name);
  const names = async (query: string) => {
    const { body, headers } = await app.as(keeper).get(path(query));
    return [body.map(({ name }: { name: string }) => name), headers.get('x-total')];
  };
  t.deepEqual(await names(''), [['dev', 'production', 'staging'], '3']);
  t.deepEqual(await names('?per_page=2&page=2'), [['staging'], '3']);
});

// Contract: interface-4.3.unprotect, protected-environments-1.delete.group, interface-3.2.protected-environment
test('unprotecting a tier of a group answers 200 with what it was', async (t) => {
  const { protect, unprotect, get } = await groupFixture(app);
  const { body } = await protect('production', { approval_rules: [{ access_level: 30 }] });
  const gone = await unprotect('production');
  t.deepEqual([gone.status, gone.body], [200, body]);
  const again = await unprotect('production');
  t.deepEqual([again.status, again.body], [404, { message: '404 Not found' }]);
  t.is((await get('production')).status, 404);
});

// Contract: protected-environments-1.delete.project
test('unprotecting an environment of a project answers 204 without a body', async (t) => {
  const { protect, unprotect } = await projectFixture(app);
  await protect('production');
  const gone = await unprotect('production');
  t.deepEqual([gone.status, gone.text], [204, '']);
  t.is((await unprotect('production')).status, 404);
});

// Contract: protected-environments-1.delete.precondition
test('unprotecting is refused with 412 when it changed since', async (t) => {
  const { protect, path, keeper } = await projectFixture(app);
  await protect('production');
  const since = new Date(app.clock.now().getTime() - 60_000).toUTCString();
  const rejection = await app.as(keeper).with({ 'If-Unmodified-Since': since }).delete(path('/production'));
  t.is(rejection.status, 412);
  t.is((await app.as(keeper).get(path('/production'))).status, 200);
});

// Contract: protected-environments-1.name
test('names of projects may hold slashes and dots, and need no environment', async (t) => {
  const { protect, get, update, unprotect } = await projectFixture(app);
  for (const name of ['review/foo', 'foo.bar', '😀', '..', 'x'.repeat(255)]) {
    t.is((await protect(name)).status, 201, name);
    // A URL's own parser takes two dots for a way up.
    if (name === '..') continue;
    t.is((await get(name)).body.name, name);
    t.is((await update(name, { required_approval_count: 1 })).body.required_approval_count, 1);
    t.is((await unprotect(name)).status, 204);
  }
  const long = await protect('x'.repeat(256));
  t.deepEqual([long.status, long.body], [422, { message: ['Name is too long (maximum is 255 characters)'] }]);
});

// Contract: protected-environments-4.missing, protected-environments-4.blank, protected-environments-4.tier
test('a name and levels are needed, the name not blank, of a group a tier', async (t) => {
  const [inGroup, inProject] = [await groupFixture(app), await projectFixture(app)];
  const { status, body } = await app.as(inGroup.keeper).post(inGroup.path(), {});
  t.deepEqual([status, body], [400, { error: 'name is missing, deploy_access_levels is missing' }]);
  for (const setup of [inGroup, inProject]) {
    const blank = await setup.protect(' ');
    t.deepEqual([blank.status, blank.body], [422, { message: ["Name can't be blank"] }]);
  }
  const unknown = await inGroup.protect('qa');
  const tiers = 'production, staging, testing, development, other';
  t.deepEqual([unknown.status, unknown.body], [422, { message: [`Name must be one of environment tiers: ${tiers}.`] }]);
  t.is((await inProject.protect('qa')).status, 201);
});

// Contract: protected-environments-4.conflict.group, protected-environments-4.conflict.project
test('what is protected already is 409, each kind in its words, before anything else is looked at', async (t) => {
  const [inGroup, inProject] = [await groupFixture(app), await projectFixture(app)];
  await inGroup.protect('production');
  await inProject.protect('production');
  const attributes = { deploy_access_levels: [] };
  const ofGroup = await inGroup.protect('production', attributes);
  t.deepEqual([ofGroup.status, ofGroup.body], [409, { message: "Protected environment 'production' already exists" }]);
  const ofProject = await inProject.protect('production', attributes);
  t.deepEqual([ofProject.status, ofProject.body], [409, { message: "Environment 'production' is already protected" }]);
});

test('of many who protect the same at once one does', async (t) => {
  const { protect, list } = await projectFixture(app);
  const answers = await Promise.all(Array.from({ length: 8 }, () => protect('production')));
  t.deepEqual(answers.map(({ status }) => status).toSorted(), [201, ...Array.from({ length: 7 }, () => 409)]);
  t.is((await list()).body[0].deploy_access_levels.length, 1);
});

// Contract: protected-environments-3.levels, interface-2.3.levels, protected-environments-4.level, protected-environments-4.inheritance, protected-environments-2.description
test('levels are 30, 40 and 60, each described in words', async (t) => {
  const { protect } = await projectFixture(app);
  const { body } = await protect('a', {
    deploy_access_levels: [{ access_level: 30 }, { access_level: '40' }, { access_level: 60 }],
  });
  t.deepEqual(
    body.deploy_access_levels.map((level: { access_level_description: string }) => level.access_level_description),
    ['Developers + Maintainers', 'Maintainers', 'Instance admins'],
  );
  for (const level of [0, 20, 50, 61]) {
    const rejection = await protect('b', { deploy_access_levels: [{ access_level: 40 }, { access_level: level }] });
    const error = 'deploy_access_levels[1][access_level] does not have a valid value';
    t.deepEqual([rejection.status, rejection.body], [400, { error }]);
  }
  const type = await protect('b', { deploy_access_levels: [{ access_level: 40, group_inheritance_type: 2 }] });
  t.deepEqual(
    [type.status, type.body],
    [400, { error: 'deploy_access_levels[0][group_inheritance_type] does not have a valid value' }],
  );
});

// Contract: protected-environments-2.null-level, protected-environments-2.inheritance, protected-environments-2.order
test('entries come by their ids, those of users and groups without a level, with their kind of members', async (t) => {
  const { group, protect, keeper } = await groupFixture(app);
  const { body } = await protect('staging', {
    deploy_access_levels: [
      { group_id: group.id, group_inheritance_type: 1 },
      { user_id: keeper.id },
      { access_level: 30 },
    ],
    approval_rules: [{ access_level: 40 }],
  });
  const levels = body.deploy_access_levels;
  t.deepEqual(describeEntries(levels), [`group ${group.id}`, `user ${keeper.id}`, 30]);
  t.deepEqual(
    levels.map((level: { group_inheritance_type: number }) => level.group_inheritance_type),
    [1, 0, 0],
  );
  const ids = levels.map(({ id }: { id: number }) => id);
  t.deepEqual(
    ids,
    ids.toSorted((a: number, b: number) => a - b),
  );
});

// Contract: protected-environments-4.too-short, protected-environments-4.exactly-one, protected-environments-3.items, protected-environments-4.none-of-three
test('a level names exactly one of three, its nested words being unverified, and there is at least one', async (t) => {
  const { protect, keeper } = await projectFixture(app);
  const empty = await protect('a', { deploy_access_levels: [] });
  t.deepEqual([empty.status, empty.body], [422, TOO_SHORT]);
  for (const entry of [{}, { access_level: 40, user_id: keeper.id }, { access_level: null }]) {
    const { status, body } = await protect('a', { deploy_access_levels: [entry] });
    t.deepEqual([status, body], [422, { message: [`Deploy access levels ${NOT_ONE}`] }]);
  }
  const several = await protect('a', { approval_rules: [{ access_level: 40, user_id: keeper.id }] });
  t.deepEqual([several.status, several.body], [422, { message: [`Approval rules ${NOT_ONE}`] }]);
  const none = await protect('a', { approval_rules: [{ access_level: 40 }, { required_approvals: 2 }] });
  t.deepEqual(
    [none.status, none.body],
    [
      400,
      {
        error:
          'approval_rules[1][access_level], approval_rules[1][user_id], approval_rules[1][group_id] are missing, ' +
          'at least one parameter must be provided',
      },
    ],
  );
});

// Contract: protected-environments-3.rules, protected-environments-4.approvals
test('a rule takes 1 to 5 approvals, 1 unless it says', async (t) => {
  const { protect } = await projectFixture(app);
  const { body } = await protect('a', {
    approval_rules: [{ access_level: 30 }, { access_level: 40, required_approvals: '5' }],
  });
  t.deepEqual(
    body.approval_rules.map((rule: { required_approvals: number }) => rule.required_approvals),
    [1, 5],
  );
  const sendInvalid = async (count: unknown) => {
    const answer = await protect('b', { approval_rules: [{ access_level: 40, required_approvals: count }] });
    return [answer.status, answer.body];
  };
  const text = 'Approval rules required approvals must be';
  t.deepEqual(await sendInvalid(0), [422, { message: [`${text} greater than or equal to 1`] }]);
  t.deepEqual(await sendInvalid(6), [422, { message: [`${text} less than or equal to 5`] }]);
  t.deepEqual(await sendInvalid('x'), [400, { error: 'approval_rules[0][required_approvals] is invalid' }]);
});

// Contract: protected-environments-3.count, protected-environments-4.deprecated, protected-environments-4.count
test('the number of approvals is refused to those who protect, and 0 to 5 for those who edit', async (t) => {
  const { protect, update } = await projectFixture(app);
  const rejection = await protect('a', { required_approval_count: 1 });
  t.is(rejection.status, 422);
  t.regex(rejection.body.message, /^Parameter 'required_approval_count' is deprecated and shouldn't be used\. See /);
  t.is((await protect('a', { required_approval_count: 0 })).status, 201);
  t.is((await update('a', { required_approval_count: 5 })).body.required_approval_count, 5);
  t.is((await update('a', {})).body.required_approval_count, 5, 'what is not sent stays');
  const most = await update('a', { required_approval_count: 6 });
  t.deepEqual(
    [most.status, most.body],
    [422, { message: ['Required approval count must be less than or equal to 5'] }],
  );
  const least = await update('a', { required_approval_count: -1 });
  t.deepEqual(least.body, { message: ['Required approval count must be greater than or equal to 0'] });
});

test('more than a thousand entries are refused, in one request and over several', async (t) => {
  const { project, protect, update, get } = await projectFixture(app);
  const many = Array.from({ length: 1001 }, () => ({ access_level: 40 }));
  const rejection = await protect('a', { deploy_access_levels: many });
  t.deepEqual([rejection.status, rejection.body], [400, { error: 'deploy_access_levels is invalid' }]);
  const equal = await protect('a', { deploy_access_levels: many.slice(1) });
  t.is(equal.body.deploy_access_levels.length, 1, 'what is said twice is there once');
  const users = await app.context().query<{ id: number }>(sql`
    insert into users (username, name, email, password_digest, state, created_at, updated_at)
    select 'many' || i || '-' || ${project.id}, 'Many', 'many' || i || '-' || ${project.id} || '@example.com', 'x', 'active', now(), now()
      from generate_series(1, 1000) i returning id as "id"`);
  await app.context().query(sql`
    insert into project_members (project_id, user_id, access_level, created_at)
    select ${project.id}, u, 30, now() from unnest(${users.map(({ id }) => id)}::bigint[]) u`);
  const all = await update('a', { deploy_access_levels: users.map(({ id }) => ({ user_id: id })) });
  t.is(all.status, 422);
  t.deepEqual(all.body, { message: ['Deploy access levels is too long (maximum is 1000 characters)'] });
  const fitting = users.slice(1).map(({ id }) => ({ user_id: id }));
  t.is((await update('a', { deploy_access_levels: fitting })).body.deploy_access_levels.length, 1000);
  t.is((await get('a')).body.deploy_access_levels.length, 1000);
});

// Contract: protected-environments-8.form
test('entries come in form notation as well', async (t) => {
  const { path, keeper, project } = await projectFixture(app);
  const form = `name=a&deploy_access_levels[][access_level]=40&deploy_access_levels[][user_id]=${project.owner.id}`;
  const type = 'application/x-www-form-urlencoded';
  const one = await app.as(keeper).raw('POST', `/api/v4${path()}`, form, type);
  t.is(one.status, 422, 'one entry that names two');
  const indexed = form.replace('[][access_level]', '[0][access_level]').replace('[][user_id]', '[1][user_id]');
  const two = await app.as(keeper).raw('POST', `/api/v4${path()}`, indexed, type);
  t.is(two.status, 201);
  t.deepEqual(describeEntries(two.body.deploy_access_levels), [40, `user ${project.owner.id}`]);
});

test('a project and a group that it lies in protect the same name each for itself', async (t) => {
  const { group, protect, list } = await projectFixture(app);
  const above = await app.as(group.owner).post(`/groups/${group.id}/protected_environments`, {
    name: 'production',
    deploy_access_levels: [{ access_level: 30 }],
  });
  t.is(above.status, 201);
  t.is((await protect('production')).status, 201);
  t.deepEqual(describeEntries((await list()).body[0].deploy_access_levels), [40]);
});
