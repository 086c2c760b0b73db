import type { IncomingMessage, ServerResponse } from 'node:http';
import { watchRate } from '../traffic.js';
import type { MinimumRate, Traffic } from '../traffic.js';

/** Bytes of a refused request that are still let through, so that a client which sends first and reads then is told. */
const DRAINED_BYTES = 32 * 1024 * 1024;

/** What all connections together are let through, in bytes a second: nobody else shall notice what is thrown away. */
const DRAINED_BYTES_PER_SECOND = 16 * 1024 * 1024;

/** Lets what nobody read of a body through once the request is answered, within bounds; then the connection ends. */
export function endUnreadBody(request: IncomingMessage, response: ServerResponse, traffic: Traffic): void {
  // Before Node looks whether anybody reads it: else it would let everything through.
  response.once('prefinish', () => {
    // Of a client that is gone nothing comes, and nothing tells of its end any more.
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
    // Once the answer is sent, a request whose connection is cut tells neither of its end nor of its close.
    socket.once('close', end);
    request.on('data', take).once('end', end).once('close', end).resume();
  });
}

/** A client reads so many times faster than it has to send. */
const READS_FASTER = 16;

/**
 * Ends the connection of a client that takes too long to read its answer, all of which is held until it has. Streams
 * hold little, and are not looked at.
 */
export function endUnreadAnswer(response: ServerResponse, minimumRate: MinimumRate): void {
  response.once('prefinish', () => {
    const { socket } = response;
    // What fits into the connection's buffers is gone already.
    if (!socket || socket.writableLength === 0) return;
    const periods = 1 + socket.writableLength / (minimumRate.bytes * READS_FASTER);
    const timer = setTimeout(() => socket.destroy(), minimumRate.milliseconds * periods).unref();
    response.once('close', () => clearTimeout(timer));
  });
}
