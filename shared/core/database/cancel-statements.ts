import pg from 'pg';
import { Limiter } from '../values/limiter.js';

/** What finishes by itself soon after its client left costs less than ending it. */
const GRACE_MS = 50;
/** Each is a connection of its own to the server. */
const AT_ONCE = 2;
/** A server that does not take a cancellation ends the statement by its own time limit. */
const TIMEOUT_MS = 2_000;

/** A connection on which a statement runs, as far as ending it needs to know. */
export interface Cancellable {
  host: string;
  port: number;
  ssl: unknown;
  sslNegotiation: string;
  /**
   * The id of the connection, and the secret that allows other connections to cancel its statements, both sent by the
   * server.
   */
  processID?: number;
  secretKey?: number;
}

/** pg's connection below its client, of which the package's types say less than there is. */
interface Wire {
  once(event: 'connect' | 'sslconnect' | 'end' | 'error', listener: () => void): void;
  on(event: 'error', listener: () => void): void;
  connect(port: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processID: number, secretKey: number): void;
  stream: { destroy(): void };
}

const WireConnection = pg.Connection as unknown as new (config: Pick<Cancellable, 'ssl' | 'sslNegotiation'>) => Wire;

/**
 * Asks the server to cancel the statement that runs on a connection. Resolves when the server has done so or could not
 * be reached.
 */
function sendCancel(client: Cancellable): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client;
  return new Promise((resolve) => {
    if (typeof processID !== 'number' || typeof secretKey !== 'number') return resolve();
    const wire = new WireConnection({ ssl, sslNegotiation });
    const timer = setTimeout(() => wire.stream.destroy(), TIMEOUT_MS);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    const cancel = () => wire.cancel(processID, secretKey);
    wire.once('connect', () => {
      if (!ssl) cancel();
      else if (sslNegotiation !== 'direct') wire.requestSsl();
    });
    wire.once('sslconnect', cancel);
    wire.on('error', () => wire.stream.destroy());
    // The server sends the signal before it closes: what follows on the connection is not met by it.
    wire.once('end', done);
    if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`);
    else wire.connect(port, host);
  });
}

/** Cancels statements whose results are no longer needed, a few at a time. */
export class StatementCanceller {
  readonly #limiter = new Limiter({ capacity: AT_ONCE });

  /** Ends what runs on `client` soon after `signal` is aborted, unless {@link Watch.end} comes first. */
  watch(client: Cancellable, signal: AbortSignal): Watch {
    return new Watch(signal, (stillRuns) =>
      this.#limiter.run(async () => {
        if (stillRuns()) await sendCancel(client);
      }),
    );
  }
}

/** Looks after one statement that runs for a client. */
export class Watch {
  #timer: NodeJS.Timeout | undefined;
  #runs = true;
  #cancelling: Promise<void> | undefined;

  constructor(
    private readonly signal: AbortSignal,
    private readonly cancel: (stillRuns: () => boolean) => Promise<void>,
  ) {
    signal.addEventListener('abort', this);
  }

  handleEvent(): void {
    this.#timer = setTimeout(() => {
      this.#cancelling = this.cancel(() => this.#runs);
    }, GRACE_MS);
  }

  /** The statement is over. Where something is returned, the connection is not free until it resolves. */
  end(): Promise<void> | undefined {
    this.#runs = false;
    this.signal.removeEventListener('abort', this);
    clearTimeout(this.#timer);
    return this.#cancelling;
  }
}
