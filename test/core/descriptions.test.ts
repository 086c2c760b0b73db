import test from 'ava';
import { isEnumType, isInputObjectType, isInterfaceType, isIntrospectionType, isObjectType } from 'graphql';
import { allRoutes } from '../../api/domains.js';
import { loadGraphql } from '../../api/graphql.js';
import { openApiDocument } from '../../api/core/openapi/document.js';

/* Descriptions are noun phrases or sentences, as in the reference of the public API: "ID of the issue." */

const { schema } = await loadGraphql();

/** The error in a description; null if there is none. */
function fault(text: string | null | undefined): string | null {
  if (!text) return 'has none';
  if (text.split(/\s+/).length < 3) return `is shorter than three words: ${text}`;
  if (/^(?:Whether|Which|What|Who|Whose|When|Where|How|Why|The same|Only those|Only these)\b/.test(text))
    return `begins like a question: ${text}`;
  if (!/[.:)`!?]$/.test(text)) return `has no end: ${text}`;
  return null;
}

type Described = readonly [name: string, text: string | null | undefined];

/** Types of the schema with their fields, arguments and values. */
function* graphqlDescriptions(): Generator<Described> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type) || ['Boolean', 'Float', 'ID', 'Int', 'String'].includes(type.name)) continue;
    // The roots are described by their fields.
    if (!['Query', 'Mutation'].includes(type.name)) yield [type.name, type.description];
    if (isEnumType(type))
      for (const { name, description } of type.getValues()) yield [`${type.name}.${name}`, description];
    if (isInputObjectType(type))
      for (const { name, description } of Object.values(type.getFields())) yield [`${type.name}.${name}`, description];
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      yield [`${type.name}.${field.name}`, field.description];
      for (const { name, description } of field.args) yield [`${type.name}.${field.name}(${name})`, description];
    }
  }
}

/** Every `description` of the OpenAPI document, by its path; parts that a route repeats are listed once. */
function* openApiDescriptions(node: unknown, path: readonly string[] = []): Generator<Described> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    // A property may have such a name; examples are data.
    if (key === 'example' || key === 'examples' || key === 'default') continue;
    if (key === 'description' && typeof value === 'string') yield [path.join('.'), value];
    else yield* openApiDescriptions(value, [...path, key]);
  }
}

test('descriptions of the GraphQL schema are phrases of at least three words', (t) => {
  const faults = [...graphqlDescriptions()].flatMap(([name, text]) => {
    const problem = fault(text);
    return problem ? [`${name} ${problem}`] : [];
  });
  t.deepEqual(faults, []);
});

test('descriptions of the OpenAPI document are phrases of at least three words', (t) => {
  const faults = [...openApiDescriptions(openApiDocument(allRoutes))].flatMap(([name, text]) => {
    const problem = fault(text);
    return problem ? [`${name} ${problem}`] : [];
  });
  t.deepEqual(faults, []);
});

test('summaries of operations begin with a verb and have at least three words', (t) => {
  const summaries = allRoutes.map(({ operation: { name, summary } }) => [name, summary] as const);
  t.deepEqual(
    summaries.filter(
      ([, summary]) => summary.split(' ').length < 3 || !/^[A-Z]/.test(summary) || summary.endsWith('.'),
    ),
    [],
  );
});
