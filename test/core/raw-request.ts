import { request } from 'node:http';
import type { TestApp } from './app.js';
import { withoutHelp } from './client.js';
import type { Answer } from './client.js';

/** No answer within this time is a hang. */
export const TIMEOUT_MS = 10_000;

export interface RawRequest {
  method: string;
  /** Verbatim, as on the request line. */
  path: string;
  headers?: Record<string, string>;
  body?: Buffer | string;
}

/**
 * Sends bytes unchanged: fetch would normalize paths and bodies first.
 * @throws Error if there is no response in time, or the connection closes without one
 */
export function sendRaw(app: TestApp, { method, path, headers = {}, body }: RawRequest): Promise<Answer> {
  const { hostname, port } = new URL(app.url);
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        hostname,
        port,
        method,
        path,
        headers: { ...length, ...headers },
        timeout: TIMEOUT_MS,
        maxHeaderSize: 1 << 20,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const answered = new Headers(response.headers as Record<string, string>);
          const json = answered.get('content-type')?.includes('json') && text !== '';
          const status = response.statusCode ?? 0;
          resolve({ status, headers: answered, text, ...withoutHelp(status, json ? JSON.parse(text) : null) });
        });
      },
    );
    sent.on('timeout', () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
    // A refusal may come before a large body is sent to its end: the answer counts, not the closed connection.
    sent.on('error', (error) => setTimeout(() => reject(error), 50));
    sent.end(body);
  });
}
