/** The parts of autocannon in use; the package has no types. */
declare module 'autocannon' {
  interface Options {
    url: string;
    connections: number;
    /** Seconds. */
    duration?: number;
    /** Milliseconds between two looks at whether the time is up. */
    sampleInt?: number;
    /** Requests after which to stop; `duration` does not count then. */
    amount?: number;
    headers?: Record<string, string>;
    /** Threads that send, so that requests outside of them are not delayed. */
    workers?: number;
  }
  interface Result {
    /** Seconds that it really took. */
    duration: number;
    requests: { total: number };
    errors: number;
    timeouts: number;
    non2xx: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
