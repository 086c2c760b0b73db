import test from 'ava';
import { loadGraphql } from '../../api/graphql.js';
import { isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { readRow, restBreaks, restRows, schemaBreaks, writeRow } from './breaking-changes.js';

const described = (over: { properties?: object; required?: string[]; body?: object; parameters?: object[] } = {}) => ({
  paths: {
    '/tags': { get: { parameters: over.parameters ?? [{ name: 'search', in: 'query', schema: { type: 'string' } }] } },
  },
  components: {
    schemas: {
      Tag: { properties: over.properties ?? { name: { type: 'string' } }, required: over.required ?? ['name'] },
      MakeTagBody: over.body ?? { properties: { name: { type: ['string', 'integer'] } }, required: [] },
    },
  },
});
const breaks = (over: Parameters<typeof described>[0]) => restBreaks(restRows(described()), restRows(described(over)));

// Contract: graphql-8.3
test('what a client of REST relies on may not go, change its type or be asked for anew', (t) => {
  t.deepEqual(breaks({}), []);
  t.deepEqual(breaks({ properties: {}, required: [] }), ['Tag.name is gone']);
  t.deepEqual(breaks({ properties: { name: { type: ['string', 'null'] } } }), [
    'Tag.name was string and is string | null',
  ]);
  t.deepEqual(breaks({ required: [] }), ['Tag.name is not always there any more']);
  t.deepEqual(breaks({ properties: { name: { type: 'string' }, id: { type: 'integer' } } }), []);
  t.deepEqual(breaks({ parameters: [] }), ['GET /tags search is gone']);
  t.deepEqual(breaks({ body: { properties: { name: { type: 'string' } } } }), [
    'MakeTagBody.name was string | integer and is string',
  ]);
  t.deepEqual(breaks({ body: { properties: { name: { type: ['string', 'integer'] } }, required: ['name'] } }), [
    'MakeTagBody.name is required now',
  ]);
  t.deepEqual(
    breaks({
      body: { properties: { name: { type: ['string', 'integer'] }, id: { type: 'integer' } }, required: ['id'] },
    }),
    ['MakeTagBody.id is new and required'],
  );
});

test('rows are read as they were written', (t) => {
  for (const row of restRows(described())) t.is(writeRow(readRow(writeRow(row))), writeRow(row));
});

// Contract: graphql-8.3
test('what a client of GraphQL relies on may not go', (t) => {
  t.deepEqual(schemaBreaks('type Query { a: Int b: Int }', 'type Query { a: Int c: Int }'), ['Query.b was removed.']);
  t.deepEqual(schemaBreaks('type Query { a: Int }', 'type Query { a(b: Int): Int }'), []);
});

interface Item {
  deprecationReason?: string | null | undefined;
}

const FORM = /^.+\. Deprecated in Service \d+\.\d+\.$|^\*\*Status\*\*: Experiment\. Introduced in Service \d+\.\d+\.$/s;

// Contract: graphql-8.4
test('what is deprecated says why, and since which release', async (t) => {
  const { schema } = await loadGraphql();
  const items: Item[] = Object.values(schema.getTypeMap()).flatMap((type): readonly Item[] => {
    if (isEnumType(type)) return type.getValues();
    if (isInputObjectType(type)) return Object.values(type.getFields());
    if (!isObjectType(type) && !isInterfaceType(type)) return [];
    return Object.values(type.getFields()).flatMap((field): Item[] => [field, ...field.args]);
  });
  const reasons = items.map(({ deprecationReason }) => deprecationReason);
  const texts = reasons.filter((reason) => typeof reason === 'string');
  t.true(texts.length > 10);
  t.deepEqual(
    texts.filter((reason) => !FORM.test(reason)),
    [],
  );
});
