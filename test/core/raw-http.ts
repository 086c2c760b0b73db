import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import type { Answer } from './client.js';

export interface RawAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  /** As sent: names and values in turn. */
  rawHeaders: string[];
  text: string;
  body: Answer['body'];
}

/** A request that `fetch` would not send: bodies with GET, paths as they are, headers as they are. */
export function rawRequest(
  base: string,
  options: { method?: string; path: string; headers?: Record<string, string>; body?: string | Buffer },
): Promise<RawAnswer> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve, reject) => {
    const { method = 'GET', path, headers = {}, body } = options;
    const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
    const sent = request({ hostname, port, method, path, headers: { ...length, ...headers } }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const json = response.headers['content-type']?.includes('json') && text !== '';
        resolve({
          status: response.statusCode as number,
          headers: response.headers,
          rawHeaders: response.rawHeaders,
          text,
          body: json ? JSON.parse(text) : null,
        });
      });
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

/** Writes bytes to a connection and answers everything that comes back until it is closed. */
export function rawSocket(base: string, bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    let text = '';
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    // A server that closes while the client still writes resets the connection; what came before counts.
    socket.once('error', () => undefined);
    socket.once('close', () => resolve(text));
  });
}
