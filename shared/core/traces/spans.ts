/* What is traced, as the rest of the service sees it: nothing of OpenTelemetry. */

export type Attributes = Record<string, string | number | boolean>;

/** Something that takes time. */
export interface Span {
  /** Names it for another process, as W3C's `traceparent` does. */
  readonly traceparent: string;
  /** Only words of the program and numbers: no value that a user gave. */
  set(attributes: Attributes): void;
  rename(name: string): void;
  /** @param error what it failed with; its class is told, not its message */
  end(error?: unknown): void;
  /** What `work` starts is below this span. */
  run<R>(work: () => R): R;
}

export interface SpanStart {
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  attributes?: Attributes;
  /** The `traceparent` of a span of another process that this one is below; what is none counts as none. */
  parent?: string | null;
}

export interface Tracer {
  start(name: string, start: SpanStart): Span;
  current(): Span | undefined;
  /** Sends what is not sent yet. */
  stop(): Promise<void>;
}
