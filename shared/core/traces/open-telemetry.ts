import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags } from '@opentelemetry/api';
import type { Context as OtelContext, Span as OtelSpan } from '@opentelemetry/api';
import { parseTraceParent, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ConsoleSpanExporter,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Sampler } from '@opentelemetry/sdk-trace';
import { BadSettings } from '../values/config.js';
import type { Logger } from '../log/log.js';
import type { Attributes, Span, SpanStart, Tracer } from './spans.js';
import { SERVICE_NAME, SERVICE_VERSION } from '../values/version.js';

/* Loaded only if traces are enabled. */

const KINDS: Record<SpanStart['kind'], SpanKind> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** How long an exiting process waits to send its remaining spans, in milliseconds. */
const LAST_SEND_MS = 3000;

/** The URL as the exporter reads it from the process environment; undefined if none is set. */
function urlIn(env: NodeJS.ProcessEnv): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: base } = env;
  return own || (base ? `${base.replace(/\/+$/, '')}/v1/traces` : undefined);
}

/** Headers, timeout and compression the exporter reads by itself. */
function toCollector(env: NodeJS.ProcessEnv): OTLPTraceExporter {
  const url = urlIn(env);
  return new OTLPTraceExporter(url === undefined ? {} : { url });
}

const EXPORTERS: Record<string, (env: NodeJS.ProcessEnv) => OTLPTraceExporter | ConsoleSpanExporter> = {
  otlp: toCollector,
  console: () => new ConsoleSpanExporter(),
};

const SAMPLERS: Record<string, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
  parentbased_always_on: () => new ParentBasedSampler({ root: new AlwaysOnSampler() }),
  parentbased_always_off: () => new ParentBasedSampler({ root: new AlwaysOffSampler() }),
  parentbased_traceidratio: (ratio) => new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
};

/** @throws BadSettings */
function chosen<T>(env: NodeJS.ProcessEnv, name: string, fallback: string, from: Record<string, T>): T {
  const value = env[name]?.trim() || fallback;
  if (Object.hasOwn(from, value)) return from[value] as T;
  throw new BadSettings([`${name} must be one of ${Object.keys(from).join(', ')}; it is ${JSON.stringify(value)}.`]);
}

/** @throws BadSettings */
function numberIn(env: NodeJS.ProcessEnv, name: string, most: number): number | undefined {
  const text = env[name]?.trim();
  if (!text) return undefined;
  const value = Number(text);
  if (value >= 0 && value <= most) return value;
  throw new BadSettings([`${name} must be a number from 0 to ${most}; it is ${JSON.stringify(text)}.`]);
}

function batching(env: NodeJS.ProcessEnv) {
  const options = {
    scheduledDelayMillis: numberIn(env, 'OTEL_BSP_SCHEDULE_DELAY', 3_600_000),
    exportTimeoutMillis: numberIn(env, 'OTEL_BSP_EXPORT_TIMEOUT', 3_600_000),
    maxQueueSize: numberIn(env, 'OTEL_BSP_MAX_QUEUE_SIZE', 1_000_000),
    maxExportBatchSize: numberIn(env, 'OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 100_000),
  };
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

const SCOPE = SERVICE_NAME.toLowerCase();

class OwnSpan implements Span {
  constructor(
    readonly otel: OtelSpan,
    private readonly within: AsyncLocalStorage<OwnSpan>,
  ) {}

  get traceparent(): string {
    const { traceId, spanId, traceFlags } = this.otel.spanContext();
    return `00-${traceId}-${spanId}-0${(traceFlags & TraceFlags.SAMPLED).toString(16)}`;
  }

  set(attributes: Attributes): void {
    this.otel.setAttributes(attributes);
  }

  rename(name: string): void {
    this.otel.updateName(name);
  }

  end(error?: unknown): void {
    if (error !== undefined && error !== null) {
      // Its message may contain user input.
      this.otel.setAttribute('error.type', error instanceof Error ? error.constructor.name : typeof error);
      this.otel.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.otel.end();
  }

  run<R>(work: () => R): R {
    return this.within.run(this, work);
  }
}

/**
 * A tracer that sends OTLP over HTTP as JSON, configured by OpenTelemetry's standard variables.
 * @param role the role of this process, used in `service.instance` to distinguish processes that run side by side
 * @throws BadSettings when a variable has an unsupported value
 */
export function openTelemetry(env: NodeJS.ProcessEnv, role: string, log: Logger): Tracer {
  setGlobalErrorHandler((error) =>
    log.warn({ error: error instanceof Error ? error.name : 'Error' }, 'traces could not be sent'),
  );
  const exporter = chosen(env, 'OTEL_TRACES_EXPORTER', 'otlp', EXPORTERS)(env);
  const ratio = numberIn(env, 'OTEL_TRACES_SAMPLER_ARG', 1) ?? 1;
  const sampler = chosen(env, 'OTEL_TRACES_SAMPLER', 'parentbased_always_on', SAMPLERS)(ratio);
  const resource = defaultResource()
    .merge(
      resourceFromAttributes({
        'service.name': SCOPE,
        'service.version': SERVICE_VERSION,
        'service.instance.id': `${role}-${process.pid}`,
        'capstan.role': role,
      }),
    )
    .merge(detectResources({ detectors: [envDetector] }));
  const provider = new TracerProvider({
    resource,
    sampler,
    spanProcessors: [new BatchSpanProcessor({ exporter, ...batching(env) })],
  });
  const otel = provider.getTracer(SCOPE, SERVICE_VERSION);
  const within = new AsyncLocalStorage<OwnSpan>();

  const getContext = (parent: string | null | undefined): OtelContext => {
    const remote = parent ? parseTraceParent(parent) : null;
    if (remote) return trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
    const above = within.getStore();
    return above ? trace.setSpan(ROOT_CONTEXT, above.otel) : ROOT_CONTEXT;
  };

  return {
    start(name, { kind, attributes = {}, parent }) {
      return new OwnSpan(otel.startSpan(name, { kind: KINDS[kind], attributes }, getContext(parent)), within);
    },
    current: () => within.getStore(),
    async stop() {
      const late = new Promise<void>((resolve) => {
        setTimeout(resolve, LAST_SEND_MS).unref();
      });
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}
