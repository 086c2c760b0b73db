import test from 'ava';
import { NOT_AVAILABLE } from '../../../api/core/graphql/errors.js';
import { useApp } from '../../core/app.js';
import type { Client } from '../../core/client.js';

const app = useApp(test);

interface Owner {
  set: string;
  remove: string;
  /** Fields of the input that name the owner. */
  ownerArgument: string;
  missing: string;
  /** Where REST lists the attributes. */
  path: string;
}

async function owners(): Promise<Owner[]> {
  const user = await app.build.user();
  const group = await app.build.group({ visibility: 'private' });
  const project = await app.build.project({ empty: true, visibility: 'private' });
  return [
    {
      set: 'userCustomAttributeSet',
      remove: 'deleteUserCustomAttribute',
      ownerArgument: `userId: "gid://service/User/${user.id}"`,
      missing: 'userId: "gid://service/User/99999999"',
      path: `/users/${user.id}/custom_attributes`,
    },
    {
      set: 'setGroupCustomAttribute',
      remove: 'deleteGroupCustomAttribute',
      ownerArgument: `groupPath: "${group.full_path}"`,
      missing: `groupPath: "${group.id}"`,
      path: `/groups/${group.id}/custom_attributes`,
    },
    {
      set: 'projectCustomAttributeSet',
      remove: 'deleteProjectCustomAttribute',
      ownerArgument: `projectPath: "${project.full_path}"`,
      missing: `projectPath: "${project.id}"`,
      path: `/projects/${project.id}/custom_attributes`,
    },
  ];
}

const run = (client: Client, name: string, input: string) =>
  client.graphql(
    `mutation { ${name}(input: { ${input}, clientMutationId: "m" }) { clientMutationId customAttribute { key value } errors } }`,
  );

// Contract: graphql-5.9.custom-attributes
test('administrators set and delete custom attributes of users, groups and projects by mutations', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const { set, remove, ownerArgument, path } of await owners()) {
    for (const value of ['a', 'b']) {
      const { body } = await run(admin, set, `${ownerArgument}, key: "x/y", value: "${value}"`);
      t.deepEqual(body.data[set], { clientMutationId: 'm', customAttribute: { key: 'x/y', value }, errors: [] });
    }
    t.deepEqual((await admin.get(path)).body, [{ key: 'x/y', value: 'b' }]);
    const { body } = await run(admin, remove, `${ownerArgument}, key: "x/y"`);
    t.deepEqual(body.data[remove], {
      clientMutationId: 'm',
      customAttribute: { key: 'x/y', value: 'b' },
      errors: [],
    });
    t.deepEqual((await admin.get(path)).body, []);
  }
});

// Contract: graphql-5.9.custom-attributes
test('what is blank or not there is told in the payload, and nothing is changed', async (t) => {
  const admin = app.as(await app.build.admin());
  for (const { set, remove, ownerArgument, path } of await owners()) {
    const blank = await run(admin, set, `${ownerArgument}, key: " ", value: ""`);
    t.deepEqual(blank.body.data[set], {
      clientMutationId: 'm',
      customAttribute: null,
      errors: ["Key can't be blank", "Value can't be blank"],
    });
    const absent = await run(admin, remove, `${ownerArgument}, key: "x"`);
    t.deepEqual(absent.body.data[remove], {
      clientMutationId: 'm',
      customAttribute: null,
      errors: ['Custom attribute not found'],
    });
    t.deepEqual((await admin.get(path)).body, []);
  }
});

// Contract: graphql-5.9.custom-attributes
test('nobody else changes custom attributes by mutations, and what is missing cannot be told apart', async (t) => {
  const admin = await app.build.admin();
  const reader = app.as(await app.build.token(admin, { scopes: ['read_api'] }));
  const others = [app.anonymous, app.as(await app.build.user()), reader];
  for (const { set, remove, ownerArgument, missing, path } of await owners()) {
    await app.as(admin).put(`${path}/x`, { value: '1' });
    const hidden = async (client: Client, name: string, input: string) => {
      const { status, body } = await run(client, name, input);
      t.is(status, 200);
      t.deepEqual([body.data[name], body.errors[0].message], [null, NOT_AVAILABLE], `${name} ${input}`);
    };
    for (const client of others) {
      await hidden(client, set, `${ownerArgument}, key: "x", value: "2"`);
      await hidden(client, remove, `${ownerArgument}, key: "x"`);
    }
    await hidden(app.as(admin), set, `${missing}, key: "x", value: "2"`);
    await hidden(app.as(admin), remove, `${missing}, key: "x"`);
    t.deepEqual((await app.as(admin).get(path)).body, [{ key: 'x', value: '1' }]);
  }
});
