import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type Koa from 'koa';
import type { Traffic } from '../traffic.js';
import { endUnreadAnswer, endUnreadBody } from './unread.js';

/** Above the longest URL that the API reads, so that its own 414 comes before a 431. */
const MAX_HEADER_BYTES = 128 * 1024;

/** For the head of a request. */
const HEADERS_MS = 30_000;
/** For a whole request, at any speed: enough for the slowest plausible upload of an archive. */
const REQUEST_MS = 3_600_000;

function rejectSocket(socket: Duplex, status: string) {
  if (!socket.writable) return socket.destroy();
  const body = JSON.stringify({ error: status });
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n` +
      `Connection: close\r\n\r\n${body}`,
  );
}

interface ClientError extends Error {
  code?: string;
  /** What arrived last. */
  rawPacket?: Buffer;
}

/** Malformed HTTP, or headers that exceed the limit. */
function answerBadRequest(error: ClientError, socket: Duplex) {
  if (error.code === 'ECONNRESET') return socket.destroy();
  if (error.code !== 'HPE_HEADER_OVERFLOW')
    return rejectSocket(socket, error.code === 'ERR_HTTP_REQUEST_TIMEOUT' ? '408 Request Timeout' : '400 Bad Request');
  // Still in the first line: the URL is too long.
  const inUrl = error.rawPacket?.includes('\n') === false;
  rejectSocket(socket, inUrl ? '414 Request-URI Too Large' : '431 Request Header Fields Too Large');
}

/**
 * An HTTP server for the app: requests that never reach Koa are answered here, in the API's format.
 * @param traffic contains the minimum rates at which clients have to send and read
 */
export function createApiServer(app: Koa, traffic: Traffic): Server {
  const koa = app.callback();
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    endUnreadBody(request, response, traffic);
    endUnreadAnswer(response, traffic.limits.minimumRate);
    void koa(request, response);
  };
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: 75_000,
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
    },
    handle,
  );
  // The reader of the body sends `100 Continue`, unless the request is refused without reading it.
  server.on('checkContinue', handle);
  server.on('clientError', answerBadRequest);
  server.on('connect', (_request, socket: Duplex) => rejectSocket(socket, '405 Not Allowed'));
  return server;
}
