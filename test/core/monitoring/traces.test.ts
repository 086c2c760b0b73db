import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { pathToFileURL } from 'node:url';
import test from 'ava';
import { openTelemetry } from '../../../shared/core/traces/open-telemetry.js';
import { BadSettings } from '../../../shared/core/values/config.js';
import { createLogger } from '../../../shared/core/log/log.js';
import {
  startTracing,
  tracedJob,
  tracer,
  traceparent,
  tracesAreRequested,
} from '../../../shared/core/traces/tracing.js';
import { Collector } from './collector.js';
import { eventually, startService } from '../processes.js';

const log = createLogger('silent', 'test');

// Contract: operations-4.3
test('traces are on only where the standard variables ask for them', (t) => {
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
  t.false(tracesAreRequested({}));
  t.false(tracesAreRequested({ OTEL_SERVICE_NAME: 'x' }));
  t.true(tracesAreRequested(ENDPOINT));
  t.true(tracesAreRequested({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }));
  t.true(tracesAreRequested({ OTEL_TRACES_EXPORTER: 'otlp' }));
  t.false(tracesAreRequested({ ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }));
  t.false(tracesAreRequested({ ...ENDPOINT, OTEL_SDK_DISABLED: 'true' }));
});

test('a variable with a value that is not known is a bad setting', (t) => {
  for (const [name, value] of [
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_BSP_SCHEDULE_DELAY', 'soon'],
    ['OTEL_TRACES_EXPORTER', 'constructor'],
  ] as [string, string][]) {
    const error = t.throws(() => openTelemetry({ [name]: value }, 'test', log), { instanceOf: BadSettings });
    t.regex(error?.message ?? '', new RegExp(`^${name} must be `));
  }
});

// Contract: operations-4.3
test('while traces are off nothing of OpenTelemetry is loaded, by no process', async (t) => {
  await startTracing({}, 'test', log);
  t.is(tracer(), null);
  t.is(traceparent(), null);
  t.is(await tracedJob('some-queue', 1, null, () => Promise.resolve(7)), 7);
  const roots = ['api/app.js', 'workers/domains.js', 'shared/instance/process/services.js'].map(
    (file) => pathToFileURL(path.resolve('dist', file)).href,
  );
  // The module loader's resolve requests show which modules are loaded.
  const script = `
    import { registerHooks } from 'node:module';
    const found = new Set();
    registerHooks({ resolve(name, context, next) {
      const answer = next(name, context);
      const part = /node_modules\\/((?:@[^/]+\\/)?[^/]+)\\//.exec(answer.url)?.[1];
      if (part) found.add(part);
      return answer;
    } });
    for (const root of ${JSON.stringify(roots)}) await import(root);
    process.stdout.write([...found].join(' '));
    process.exit(0);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  const loaded = stdout.split(' ');
  t.true(loaded.includes('koa') && loaded.includes('pg') && loaded.includes('prom-client'), stdout);
  t.deepEqual(
    loaded.filter((name) => name.startsWith('@opentelemetry/')),
    [],
  );
});

// Contract: operations-4.3
test('requests, statements, jobs and git processes are spans of one trace, without a value', async (t) => {
  const collector = new Collector();
  await collector.start(t);
  const service = await startService(t, {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' },
  });
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const canary = 'canary-of-a-value';
  const traced = service.root.with({ traceparent: `00-${traceId}-b7ad6b7169203331-01`, 'X-Request-Id': 'request-1' });
  const response = await traced.post(`/projects?note=${canary}`, {
    name: canary,
    initialize_with_readme: true,
  });
  t.is(response.status, 201);
  t.is((await traced.get(`/projects/${response.body.id}/repository/commits`)).status, 200);
  t.is((await traced.post('/groups', { name: canary, path: canary })).status, 201);
  t.is((await traced.get('/projects/999999')).status, 404);
  await eventually(async () => collector.trace(traceId).filter(({ kind }) => kind === 2).length === 4);
  await eventually(async () => collector.trace(traceId).some(({ kind }) => kind === 5));
  const spans = collector.trace(traceId).filter(({ resource }) => resource['capstan.role'] === 'api');

  const request = spans.find(({ name }) => name === 'POST /api/v4/projects');
  t.like(request, { kind: 2, parentSpanId: 'b7ad6b7169203331' });
  t.like(request?.attributes, {
    'http.request.method': 'POST',
    'http.route': '/api/v4/projects',
    'http.response.status_code': 201,
    correlation_id: 'request-1',
  });
  t.like(request?.resource, { 'service.name': 'capstan', 'capstan.role': 'api' });
  t.true((request?.milliseconds ?? 0) > 0);
  t.truthy(spans.find(({ name, statusCode }) => name === 'GET /api/v4/projects/:id' && statusCode !== 2));

  const statements = spans.filter(({ kind }) => kind === 3);
  t.true(statements.length > 5);
  t.true(statements.every(({ attributes }) => attributes['db.system.name'] === 'postgresql'));
  const texts = statements.map(({ attributes }) => attributes['db.query.text']);
  t.true(texts.includes('insert into "projects"'), 'of a text with values, what it is done to');
  t.true(
    texts.some((text) => /\bwhere\b.*\$1/s.test(String(text))),
    'of one with placeholders, all of it',
  );
  t.true(statements.every(({ parentSpanId }) => spans.some(({ spanId }) => spanId === parentSpanId)));

  const git = spans.filter(({ name }) => name.startsWith('git '));
  t.true(git.length > 0);
  t.true(git.every(({ attributes }) => attributes['process.exit.code'] === 0 && attributes['git.lane'] !== undefined));

  const sent = spans.filter(({ kind }) => kind === 4);
  t.true(sent.length > 0);
  t.true(sent.every(({ name, attributes }) => name === `send ${attributes['messaging.destination.name']}`));
  const done = collector.trace(traceId).filter(({ kind }) => kind === 5);
  t.true(done.every(({ name, resource }) => name.startsWith('process ') && resource['capstan.role'] === 'worker'));
  t.true(
    done.every(({ parentSpanId }) => sent.some(({ spanId }) => spanId === parentSpanId)),
    'the worker goes on with the trace of the request',
  );

  const leaking = collector.spans.filter((span) => JSON.stringify(span).includes(canary));
  t.deepEqual(
    leaking.map(({ name, attributes }) => [name, attributes]),
    [],
  );
});

// Contract: operations-4.3
test('a failing job is a span with the class of its error, below the request that sent it', async (t) => {
  const collector = new Collector();
  await collector.start(t);
  const own = openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '10' }, 'test', log);
  const parent = own.start('send something', { kind: 'producer' });
  const child = own.start('process something', { kind: 'consumer', parent: parent.traceparent });
  t.is(
    child.run(() => own.current()),
    child,
  );
  const below = child.run(() => own.start('select', { kind: 'client' }));
  below.end();
  child.end(new RangeError('canary-of-a-message'));
  parent.end();
  own.start('root', { kind: 'server', parent: 'no such thing' }).end();
  await own.stop();
  const findSpan = (name: string) => collector.spans.find((span) => span.name === name);
  t.is(findSpan('process something')?.parentSpanId, findSpan('send something')?.spanId);
  t.is(findSpan('select')?.parentSpanId, findSpan('process something')?.spanId);
  t.is(findSpan('process something')?.statusCode, 2);
  t.is(findSpan('process something')?.attributes['error.type'], 'RangeError');
  t.is(findSpan('root')?.parentSpanId, '');
  t.false(collector.text.includes('canary'));
});

test('a sampler keeps only its part, and a collector that is away stops nothing', async (t) => {
  const collector = new Collector();
  await collector.start(t);
  const never = openTelemetry(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER: 'always_off' },
    'test',
    log,
  );
  never.start('unseen', { kind: 'server' }).end();
  await never.stop();
  t.deepEqual(collector.spans, []);
  const away = openTelemetry({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }, 'test', log);
  away.start('lost', { kind: 'server' }).end();
  await t.notThrowsAsync(away.stop());
});
