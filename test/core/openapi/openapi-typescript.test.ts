import test from 'ava';
import { getType, printTypescript } from '../../../api/core/openapi/typescript.js';

test('the type of a schema says what values it has', (t) => {
  t.is(getType({ type: 'string' }), 'string');
  t.is(getType({ type: ['integer', 'null'] }), 'number | null');
  t.is(getType({ type: 'string', enum: ['a', 'b"'] }), '"a" | "b\\""');
  t.is(getType({ type: 'array', items: { type: ['string', 'number'] } }), '(string | number)[]');
  t.is(getType({ anyOf: [{ type: 'string' }, { type: 'null' }, { type: 'string' }] }), 'string | null');
  t.is(getType({ $ref: '#/components/schemas/Project' }), 'Schemas["Project"]');
  t.is(getType({ const: true }), 'true');
  t.is(getType({}), 'unknown');
});

test('a property that may be absent is so in the type, and names that are no words are quoted', (t) => {
  const schema = {
    type: 'object',
    properties: { id: { type: 'integer' }, 'not-a-word': { type: 'boolean' } },
    required: ['id'],
  };
  t.is(getType(schema), '{ "id": number; "not-a-word"?: boolean; }');
  t.is(getType({ type: 'object', additionalProperties: { type: 'string' } }), 'Record<string, string>');
  t.is(getType({ type: 'object' }), 'Record<string, unknown>');
});

// Contract: web.types
test('an operation is typed by its parameters, shared ones too, its JSON body and each of its answers', (t) => {
  const text = printTypescript({
    components: {
      schemas: { Thing: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } },
      parameters: { page: { name: 'page', in: 'query', schema: { type: 'integer' } } },
      responses: { NotFound: { content: { 'application/json': { schema: { type: 'string' } } } } },
    },
    paths: {
      '/things/{id}': {
        post: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
            { $ref: '#/components/parameters/page' },
          ],
          requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
          responses: {
            201: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
            204: { description: 'Done.' },
            404: { $ref: '#/components/responses/NotFound' },
          },
        },
      },
    },
  });
  t.true(text.includes('"Thing": { "id": number; };'));
  t.true(text.includes('parameters: { path: { "id": string; }; query?: { "page"?: number; }; };'));
  t.true(text.includes("requestBody: { content: { 'application/json': Record<string, unknown> } };"));
  t.true(
    text.includes('201: { headers: Record<string, unknown>; content: { \'application/json\': Schemas["Thing"] } };'),
  );
  t.true(text.includes('204: { headers: Record<string, unknown>; content: never };'));
  t.true(text.includes("404: { headers: Record<string, unknown>; content: { 'application/json': string } };"));
  t.true(text.includes('get?: never;'));
});
