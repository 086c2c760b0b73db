import { readFileSync } from 'node:fs';
import {
  buildClientSchema,
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  validateSchema,
} from 'graphql';
import type { GraphQLSchema } from 'graphql';
import test from 'ava';
import { schemaText } from '../../../api/core/graphql/schema.js';
import { loadGraphql } from '../../../api/graphql.js';
import { useApp } from '../app.js';

const app = useApp(test);
const { schema } = await loadGraphql();

// Contract: graphql-8.1
test('api/schema.graphql is what GraphQL serves; npm run graphql:schema writes it anew', (t) => {
  t.is(readFileSync('api/schema.graphql', 'utf8'), schemaText(schema));
});

test('the schema is sound, with and without what is deprecated', async (t) => {
  t.deepEqual(validateSchema(schema), []);
  t.deepEqual(validateSchema((await loadGraphql()).variant(true)), []);
});

function undescribed(of: GraphQLSchema): string[] {
  const missing: string[] = [];
  const check = (name: string, { description }: { description?: string | null | undefined }) => {
    if (!description) missing.push(name);
  };
  for (const type of Object.values(of.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (type.name !== 'Query' && type.name !== 'Mutation') check(type.name, type);
    if (isEnumType(type)) for (const value of type.getValues()) check(`${type.name}.${value.name}`, value);
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields())) check(`${type.name}.${field.name}`, field);
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      check(`${type.name}.${field.name}`, field);
      for (const arg of field.args) check(`${type.name}.${field.name}(${arg.name})`, arg);
    }
  }
  return missing;
}

// Contract: graphql-5.0
test('every type, field, argument and value is described', (t) => {
  t.deepEqual(undescribed(schema), []);
});

// Contract: graphql-4.6
test('a mutation takes one input and answers clientMutationId and errors', (t) => {
  for (const mutation of Object.values(schema.getMutationType()!.getFields())) {
    t.deepEqual(
      mutation.args.map((arg) => arg.name),
      ['input'],
      mutation.name,
    );
    const payload = mutation.type;
    t.true(isObjectType(payload), mutation.name);
    if (!isObjectType(payload)) continue;
    t.is(String(payload.getFields().errors?.type), '[String!]!', mutation.name);
    t.is(String(payload.getFields().clientMutationId?.type), 'String', mutation.name);
  }
});

// Contract: graphql-2.2
test('anybody may introspect the whole schema', async (t) => {
  const { status, body } = await app.anonymous.graphql(getIntrospectionQuery());
  t.is(status, 200);
  t.is(body.errors, undefined);
  t.truthy(buildClientSchema(body.data).getType('Project'));
});

const DEPRECATED = '{ project(fullPath: "a/b") { tagList } }';
const GONE = "Field 'tagList' doesn't exist on type 'Project'";

// Contract: graphql-1.5.1
test('remove_deprecated refuses a deprecated field, by any true value, in the URL and in a form', async (t) => {
  const json = JSON.stringify({ query: DEPRECATED });
  t.is((await app.anonymous.raw('POST', '/api/graphql', json, 'application/json')).body.errors, undefined);
  for (const value of ['true', '1', 't', 'yes', 'on']) {
    const { status, body } = await app.anonymous.raw(
      'POST',
      `/api/graphql?remove_deprecated=${value}`,
      json,
      'application/json',
    );
    t.is(status, 200);
    t.is(body.errors[0].message, GONE, value);
  }
  t.is(
    (await app.anonymous.raw('POST', '/api/graphql?remove_deprecated=false', json, 'application/json')).body.errors,
    undefined,
  );
  const form = new URLSearchParams({ query: DEPRECATED, remove_deprecated: 'true' }).toString();
  t.is(
    (await app.anonymous.raw('POST', '/api/graphql', form, 'application/x-www-form-urlencoded')).body.errors[0].message,
    GONE,
  );
});

// Contract: graphql-1.5.2
test('remove_deprecated holds for every query of a batch and answers the rest as ever', async (t) => {
  const batch = JSON.stringify([{ query: DEPRECATED }, { query: '{ echo(text: "x") }' }]);
  const { body } = await app.anonymous.raw('POST', '/api/graphql?remove_deprecated=true', batch, 'application/json');
  t.is(body[0].errors[0].message, GONE);
  t.is(body[1].data.echo, 'nil says: x');
});

// Contract: graphql-1.5.3
test('remove_deprecated leaves deprecated items out of the introspection', async (t) => {
  const query =
    '{ __type(name: "Project") { fields(includeDeprecated: true) { name isDeprecated deprecationReason } } }';
  const fields = async (suffix: string) => {
    const { body } = await app.anonymous.raw(
      'POST',
      `/api/graphql${suffix}`,
      JSON.stringify({ query }),
      'application/json',
    );
    return body.data.__type.fields as { name: string; isDeprecated: boolean; deprecationReason: string | null }[];
  };
  const now = (await fields('')).find((field) => field.name === 'tagList');
  t.true(now?.isDeprecated);
  t.regex(now?.deprecationReason ?? '', /Deprecated in Service \d+\.\d+\.$/);
  t.is(
    (await fields('?remove_deprecated=true')).find((field) => field.name === 'tagList'),
    undefined,
  );
});
