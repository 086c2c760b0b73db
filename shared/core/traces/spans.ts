/* The interface for tracing as used by the rest of the service: independent of OpenTelemetry. */

export type Attributes = Record<string, string | number | boolean>;

/** Something that takes time. */
export interface Span {
  /** Names it for another process, as W3C's `traceparent` does. */
  readonly traceparent: string;
  /** Only fixed strings and numbers: no user input. */
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** @param error the error it failed with; its class is reported, not its message */
  end(error?: unknown): void;
  /** What `work` starts is below this span. */
  run<R>(work: () => R): R;
}

export interface SpanStart {
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
  /** The `traceparent` of the parent span in another process; an invalid value counts as none. */
  parent?: string | null;
}

export interface Tracer {
  start(name: string, start: SpanStart): Span;
  current(): Span | undefined;
  /** Sends all remaining spans. */
  stop(): Promise<void>;
}
