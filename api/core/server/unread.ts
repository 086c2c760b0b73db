import type { IncomingMessage, ServerResponse } from 'node:http';
import { watchRate } from '../traffic.js';
import type { MinimumRate, Traffic } from '../traffic.js';

/**
 * Bytes of a refused request that are still read, so that a client that sends everything before it reads receives the
 * error.
 */
const DRAINED_BYTES = 32 * 1024 * 1024;

/** Limit for all connections together, in bytes per second: discarded data must not slow other clients. */
const DRAINED_BYTES_PER_SECOND = 16 * 1024 * 1024;

/** Discards the unread rest of a body after the response, within limits; then closes the connection. */
export function endUnreadBody(request: IncomingMessage, response: ServerResponse, traffic: Traffic): void {
  // Before Node checks whether the body is read: otherwise it would discard all of it without a limit.
  response.once('prefinish', () => {
    // A disconnected client sends no more data, and no further event reports its end.
    if (request.complete || request.destroyed) return;
    const { socket } = request;
    let drained = 0;
    const stop = watchRate(
      traffic.limits.minimumRate,
      () => drained,
      () => socket.destroy(),
    );
    let wait: NodeJS.Timeout | undefined;
    const take = (chunk: Buffer) => {
      drained += chunk.length;
      if (drained > DRAINED_BYTES) return socket.destroy();
      request.pause();
      wait = setTimeout(() => request.resume(), (chunk.length * traffic.unread * 1000) / DRAINED_BYTES_PER_SECOND);
      return undefined;
    };
    traffic.unread += 1;
    let over = false;
    const end = () => {
      if (over) return;
      over = true;
      traffic.unread -= 1;
      clearTimeout(wait);
      stop();
      socket.off('close', end);
    };
    // After the response, a request whose connection is cut emits neither `end` nor `close`.
    socket.once('close', end);
    request.on('data', take).once('end', end).once('close', end).resume();
  });
}

/** A client reads so many times faster than it has to send. */
const READS_FASTER = 16;

/**
 * Closes the connection of a client that reads its response too slowly, since the whole response is held in memory
 * until then. Streams hold little and are not checked.
 */
export function endUnreadAnswer(response: ServerResponse, minimumRate: MinimumRate): void {
  response.once('prefinish', () => {
    const { socket } = response;
    // Everything that fits into the connection's buffers has already been sent.
    if (!socket || socket.writableLength === 0) return;
    const periods = 1 + socket.writableLength / (minimumRate.bytes * READS_FASTER);
    const timer = setTimeout(() => socket.destroy(), minimumRate.milliseconds * periods).unref();
    response.once('close', () => clearTimeout(timer));
  });
}
