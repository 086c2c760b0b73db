import { isObjectType } from 'graphql';
import test from 'ava';
import { loadGraphql } from '../../../api/graphql.js';
import { domains } from '../../../shared/domains.js';
import type { GraphqlPair } from '../area-examples.js';
import { areaExamples } from '../examples.js';

const camelCase = (key: string) => key.replace(/(?<=.)_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Everything that one side has and the other lacks, and everything listed as a difference that is none. */
function drift(pair: GraphqlPair, fields: ReadonlySet<string>): string[] {
  const { type, serializer, renamed = {}, restOnly = [], graphqlOnly = [] } = pair;
  const problems: string[] = [];
  const matched = new Set<string>();
  for (const key of Object.keys(serializer.fields)) {
    const field = renamed[key] ?? camelCase(key);
    matched.add(field);
    if (fields.has(field) && restOnly.includes(key)) problems.push(`${type}.${field} is no longer only in REST`);
    if (!fields.has(field) && !restOnly.includes(key))
      problems.push(`${type} lacks ${field}, which ${serializer.name} has as ${key}`);
  }
  for (const field of fields)
    if (!matched.has(field) && !graphqlOnly.includes(field)) problems.push(`${serializer.name} lacks ${type}.${field}`);
  for (const field of graphqlOnly)
    if (matched.has(field) || !fields.has(field))
      problems.push(`${type}.${field} is listed as only in GraphQL and is not`);
  for (const key of [...restOnly, ...Object.keys(renamed)])
    if (!(key in serializer.fields)) problems.push(`${serializer.name}.${key} is listed and does not exist`);
  return problems;
}

/** Fields that other areas add to a type. */
const addedTo = (type: string): string[] =>
  areaExamples
    .flatMap(({ graphql }) => graphql?.added ?? [])
    .filter((name) => name.startsWith(`${type}.`))
    .map((name) => name.slice(type.length + 1));

// Contract: graphql-8.2
test('each type has what its shape has, but for differences on purpose', async (t) => {
  const { schema } = await loadGraphql();
  const pairs = areaExamples.flatMap(({ graphql }) => graphql?.pairs ?? []);
  t.true(pairs.length >= 6);
  // What domains add to the serializers of those below them is added where their registries are made.
  t.true(domains.length > 0);
  for (const pair of pairs) {
    const type = schema.getType(pair.type);
    if (!isObjectType(type)) {
      t.fail(`There is no type ${pair.type}.`);
      continue;
    }
    // Deprecated fields remain until their removal and need no counterpart.
    const fields = Object.values(type.getFields()).filter((field) => !field.deprecationReason);
    const keys = new Set(fields.map((field) => field.name));
    const graphqlOnly = [...(pair.graphqlOnly ?? []), ...addedTo(pair.type)];
    t.deepEqual(drift({ ...pair, graphqlOnly }, keys), []);
  }
});
