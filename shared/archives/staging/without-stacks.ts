/**
 * Runs what may throw for each of very many rows and elements, whose errors nobody looks at but for their messages:
 * writing down where each was thrown would take more time and memory than all else.
 */
export function withoutStacks<R>(work: () => R): R {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
