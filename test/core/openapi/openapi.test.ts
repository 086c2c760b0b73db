import { Validator } from '@seriousme/openapi-schema-validator';
import test from 'ava';
import { allRoutes } from '../../../api/domains.js';
import { openApiDocument } from '../../../api/core/openapi/document.js';
import { pathNames, getPathTemplate } from '../../../api/core/openapi/operations.js';
import { SERVICE_VERSION } from '../../../shared/core/values/version.js';
import { useApp } from '../app.js';
import { written } from '../described.js';

interface Described {
  operationId: string;
  description: string;
  tags: string[];
  security: object[];
  parameters?: { name?: string; in?: string; required?: boolean; schema?: object; example?: unknown; $ref?: string }[];
  requestBody?: { content: Record<string, { schema: { $ref: string }; example: Record<string, unknown> }> };
  responses: Record<string, { headers?: object; content?: Record<string, { schema: object }>; $ref?: string }>;
}

interface Document {
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, { required?: string[]; properties: Record<string, object> }> };
}

const document = openApiDocument(allRoutes) as unknown as Document;
const { paths } = written(document);
const described = (method: string, path: string) => paths[path]?.[method] as Described;

interface BodySchema {
  properties: Record<string, object>;
  required?: string[];
}

/** The schema of an operation's body, whatever form it comes in. */
function getBody({ requestBody }: Described): BodySchema {
  const name = requestBody?.content['application/json']?.schema.$ref.split('/').at(-1) ?? '';
  return document.components.schemas[name] ?? { properties: {} };
}

const app = useApp(test);

// Contract: openapi-1
test('the OpenAPI document is valid 3.1 by a public validator', async (t) => {
  const result = await new Validator().validate(structuredClone(document) as never);
  t.deepEqual(result.errors ?? [], []);
  t.true(result.valid);
});

// Contract: openapi-2
test('everybody may read openapi.json, the same bytes each time, and gets 304 with their ETag', async (t) => {
  const first = await app.anonymous.get('/openapi.json');
  t.is(first.status, 200);
  t.is(first.headers.get('content-type'), 'application/json');
  t.deepEqual(first.body, document);
  const etag = first.headers.get('etag') ?? '';
  t.is((await app.withHeaders({ 'If-None-Match': etag }).get('/openapi.json')).status, 304);
  t.is((await app.anonymous.get('/openapi.json')).text, first.text);
  t.is((await app.anonymous.get('//openapi.json')).text, first.text, 'slashes below the base count as one');
  t.is((await app.anonymous.head('/openapi.json')).headers.get('etag'), etag);
  t.false(first.text.includes(app.services.config.apiVersion), 'anonymous callers learn no version');
  t.false(first.text.includes(JSON.stringify(SERVICE_VERSION)), 'nor the one of the service');
});

// Contract: openapi-3
test('every bound route is in the OpenAPI document, with a unique operationId and its area as tag', (t) => {
  const ids = new Set<string>();
  for (const route of allRoutes) {
    const operation = described(route.method.toLowerCase(), getPathTemplate(route.path));
    t.truthy(operation, `${route.method} ${route.path}`);
    t.is(operation.tags.length, 1);
    t.regex(operation.operationId, /^[a-z]+[A-Z][A-Za-z]+$/, 'a verb and a noun');
    ids.add(operation.operationId);
  }
  t.is(ids.size, allRoutes.length);
});

// Contract: openapi-3
test('no two paths of the OpenAPI document differ only in the names of their parameters', (t) => {
  const bare = Object.keys(document.paths).map((path) => path.replaceAll(/\{\w+\}/g, '{}'));
  t.deepEqual(
    bare.filter((path, at) => bare.indexOf(path) !== at),
    [],
  );
});

// Contract: openapi-4
test('every declared parameter of every route is in the OpenAPI document, in path, query or body', (t) => {
  for (const route of allRoutes) {
    const operation = described(route.method.toLowerCase(), getPathTemplate(route.path));
    const listed = (operation.parameters ?? []).map((parameter) => (parameter.name ?? '').replace('[]', ''));
    const body = getBody(operation).properties;
    const names = new Set([...listed, ...Object.keys(body)]);
    for (const name of Object.keys(route.operation.params.shape))
      t.true(names.has(name), `${route.method} ${route.path}: ${name}`);
    for (const name of pathNames(route.path))
      t.is(operation.parameters?.find((parameter) => parameter.name === name)?.in, 'path');
  }
});

// Contract: openapi-4
test('every declared parameter, in path, query or body, has a description and a type in the OpenAPI document', (t) => {
  const problems: string[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      const body = getBody(operation).properties;
      const listed = (operation.parameters ?? []).filter((parameter) => parameter.name);
      const all = [
        ...Object.entries(body),
        ...listed.map((parameter) => [parameter.name, { ...parameter, ...parameter.schema }] as const),
      ];
      for (const [name, schema] of all) {
        if (
          !(schema as { description?: string }).description ||
          !('type' in schema || 'anyOf' in schema || 'oneOf' in schema)
        )
          problems.push(`${method} ${path}: ${name} ${JSON.stringify(schema)}`);
      }
    }
  }
  t.deepEqual(problems, []);
});

test('every form of a body refers to one schema, named by its operation, and only bodies with files come in parts', (t) => {
  const operationNames = Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).flatMap((operation) => {
      const { requestBody, operationId } = operation;
      if (!requestBody) return [];
      const forms = Object.entries(requestBody.content);
      const name = `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Body`;
      t.deepEqual(
        new Set(forms.map(([, { schema }]) => JSON.stringify(schema))),
        new Set([JSON.stringify({ $ref: `#/components/schemas/${name}` })]),
      );
      const files = Object.values(getBody(operation).properties).some(
        (field) => 'format' in field && field.format === 'binary',
      );
      t.is('multipart/form-data' in requestBody.content, files, operationId);
      return [name];
    }),
  );
  t.true(operationNames.length > 50);
  t.is(new Set(operationNames).size, operationNames.length);
  const createProject = described('post', '/projects').requestBody?.content ?? {};
  t.deepEqual(Object.keys(createProject), [
    'application/json',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
  ]);
});

test('the OpenAPI document has at most 2,150 bytes an operation', (t) => {
  t.true(Buffer.byteLength(JSON.stringify(document)) <= 2_150 * allRoutes.length);
});

// Contract: openapi-5
test('every route that answers JSON names the shape of its answer in the OpenAPI document', (t) => {
  const without = allRoutes.filter(
    ({ options }) => !options.present && !options.schema && !options.respond && options.status !== 204,
  );
  t.deepEqual(
    without.map((route) => `${route.method} ${route.path}`),
    [],
  );
});

// Contract: openapi-5
test('the OpenAPI document describes parameters, bodies, answers, errors, paging and credentials of a route', (t) => {
  const list = described('get', '/projects/{id}/pipeline_schedules');
  t.deepEqual(
    list.parameters?.map((parameter) => parameter.name),
    ['id', 'scope', 'page', 'per_page'],
  );
  t.true(
    document.paths['/projects/{id}/pipeline_schedules']?.get?.parameters?.some(
      ({ $ref }) => $ref === '#/components/parameters/page',
    ),
  );
  t.deepEqual(Object.keys(list.responses), ['200', '400', '401', '403', '404', '405', '429']);
  t.deepEqual(list.responses['200']?.content?.['application/json']?.schema, {
    type: 'array',
    items: { $ref: '#/components/schemas/ListedPipelineSchedule' },
  });
  t.true(Object.keys(list.responses['200']?.headers ?? {}).includes('X-Total'));
  t.false(list.security.some((need) => Object.keys(need).length === 0));

  const create = described('post', '/projects/{id}/pipeline_schedules');
  t.deepEqual(Object.keys(create.requestBody?.content ?? {}), [
    'application/json',
    'application/x-www-form-urlencoded',
  ]);
  const body = getBody(create);
  t.deepEqual(body.required, ['description', 'ref', 'cron']);
  t.deepEqual(body.properties.active, {
    type: 'boolean',
    default: true,
    description: 'If `false`, the schedule starts deactivated.',
  });
  t.regex(create.description, /`create_pipeline_schedule`[^]*Developer/);
  t.true(described('get', '/projects/{id}').security.some((need) => Object.keys(need).length === 0));
});

test('what operations say alike, of parameters and of successes, is said once in the OpenAPI document', (t) => {
  const said = new Map<string, number>();
  for (const methods of Object.values(document.paths))
    for (const { parameters = [], responses } of Object.values(methods))
      for (const [kind, all] of Object.entries({ parameters, responses: Object.values(responses) }))
        for (const one of all)
          if (one.$ref === undefined) {
            const text = `${kind} ${JSON.stringify(one)}`;
            said.set(text, (said.get(text) ?? 0) + 1);
          }
  const again = [...said].filter(([, times]) => times > 1).map(([text, times]) => `${times} times ${text}`);
  // A component name is unique: definitions with the same name but different content stay inline.
  t.true(again.length < 25, again.join('\n'));
  t.like(document.paths['/projects/{id}']?.delete?.parameters?.[0], { $ref: '#/components/parameters/ProjectsId' });
  t.deepEqual(described('get', '/projects/{id}').parameters?.[0]?.name, 'id');
});

// Contract: openapi-5
test('the schemas of shapes require every key that is always there, and hold the shapes within', (t) => {
  const { schemas } = document.components;
  t.true(schemas.PipelineSchedule?.required?.includes('last_pipeline'));
  t.false(schemas.PipelineSchedule?.required?.includes('variables'));
  t.deepEqual(schemas.PipelineSchedule?.properties.owner, {
    anyOf: [{ $ref: '#/components/schemas/UserSummary' }, { type: 'null' }],
  });
  t.truthy(schemas.UserSummary);
  t.false(JSON.stringify(document).includes('x-serializer'));
});
