import { PassThrough } from 'node:stream';
import type { Context as KoaContext } from 'koa';

const MEDIA_TYPE = 'text/event-stream';
/**
 * After this time the client reconnects, which checks its access again; spread out so that clients do not reconnect
 * simultaneously.
 */
const LONGEST_MS = 300_000;
const SPREAD = 0.2;
/** What waits for a client that does not read is dropped with it. */
const UNREAD_BYTES = 256 * 1024;

/** A listener that receives events, as text of the stream, and the end of the stream. */
interface StreamListener {
  send(text: string): void;
  end(): void;
  /** Resolves once the client has read most of what was sent, or is gone: for more than is dropped with it. */
  drained(): Promise<void>;
}

/**
 * Sends events until the client disconnects, for at most five minutes. Clients that do not accept an event stream get
 * the first event only.
 * @param join subscribes a listener; returns the function that unsubscribes it
 */
export async function sendEvents(
  koa: KoaContext,
  join: (listener: StreamListener) => Promise<() => void>,
): Promise<void> {
  const stream = new PassThrough();
  const listener = {
    send(text: string) {
      if (stream.writableLength > UNREAD_BYTES) stream.destroy();
      else if (stream.writable) stream.write(text);
    },
    end: () => stream.end(),
    drained: async () => {
      if (!stream.writableNeedDrain || stream.destroyed) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      stream.once('drain', resolve).once('close', resolve);
      await promise;
      stream.off('drain', resolve).off('close', resolve);
    },
  };
  // A disconnected client reconnects after a second.
  stream.write('retry: 1000\n\n');
  const leave = await join(listener);
  const timer = setTimeout(listener.end, LONGEST_MS * (1 - SPREAD * Math.random())).unref();
  const over = () => {
    clearTimeout(timer);
    leave();
  };
  stream.once('close', over);
  koa.res.once('close', over);
  const stays = koa.method === 'GET' && koa.get('accept').includes(MEDIA_TYPE);
  if (!stays || koa.res.destroyed) listener.end();
  if (koa.res.destroyed) over();
  // The response already has nearly ten listeners, beyond which Node warns of a leak.
  koa.res.setMaxListeners(20);
  koa.status = 200;
  koa.set('Content-Type', MEDIA_TYPE);
  koa.set('Cache-Control', 'no-store, no-transform');
  // Proxies that gather answers would hold events back.
  koa.set('X-Accel-Buffering', 'no');
  koa.body = stream;
}
