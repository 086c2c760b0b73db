import { request } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders } from 'node:http';
import type { TestApp } from '../app.js';
import { TIMEOUT_MS } from '../raw-request.js';

export interface EarlyAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A request whose body has started, and continues only on demand. */
export class Unfinished {
  /** The answer, which may come before the body has ended. */
  readonly answer: Promise<EarlyAnswer>;
  /** Settled once the connection is closed. */
  readonly closed: Promise<void>;
  readonly #sent: ClientRequest;

  /** @param headers including the body's declared type, and `Content-Length` or `Transfer-Encoding` */
  constructor(
    app: TestApp,
    method: string,
    path: string,
    headers: Record<string, string>,
    begin: string | Buffer = '',
  ) {
    const { hostname, port } = new URL(app.url);
    this.#sent = request({ hostname, port, method, path, headers, agent: false });
    let close = () => {};
    this.closed = new Promise((resolve) => (close = resolve));
    this.answer = new Promise((resolve, reject) => {
      this.#sent.setTimeout(TIMEOUT_MS, () => this.#sent.destroy(new Error(`no answer to ${method} ${path}`)));
      this.#sent.once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve({ status: response.statusCode as number, headers: response.headers, text }));
        response.once('error', reject);
      });
      this.#sent.once('error', reject).once('close', close);
    });
    // Callers that do not read the response must not get an unhandled rejection.
    this.answer.catch(() => undefined);
    this.#sent.flushHeaders();
    if (begin.length > 0) this.#sent.write(begin);
  }

  write(bytes: string | Buffer): void {
    this.#sent.write(bytes);
  }

  /** Ends the body, and answers what came. */
  end(bytes: string | Buffer = ''): Promise<EarlyAnswer> {
    this.#sent.end(bytes);
    return this.answer;
  }

  /** Goes away. */
  abandon(): void {
    this.#sent.destroy();
  }

  /** The response to the data sent so far, without sending the rest of the request. */
  async readAnswer(): Promise<EarlyAnswer> {
    try {
      return await this.answer;
    } finally {
      this.abandon();
    }
  }
}

/** Polls until a condition is met that no event reports. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('It never came to be so.');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
