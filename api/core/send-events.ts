import { PassThrough } from 'node:stream';
import type { Context as KoaContext } from 'koa';

const MEDIA_TYPE = 'text/event-stream';
/** Then the client asks anew, and with it whether it still may: not all of them at the same time. */
const LONGEST_MS = 300_000;
const SPREAD = 0.2;
/** What waits for a client that does not read is dropped with it. */
const UNREAD_BYTES = 256 * 1024;

/** One who is told events, as texts of the stream, and its end. */
interface StreamListener {
  send(text: string): void;
  end(): void;
}

/**
 * Answers with events, until the client leaves or up to five minutes are over. Who does not say that it takes an event stream
 * gets the first event only.
 * @param join begins to tell a listener; answers what ends it
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
  };
  // A client that leaves asks again after a second.
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
  // Those of the answer's own way through the service are nearly ten, beyond which Node warns of a leak.
  koa.res.setMaxListeners(20);
  koa.status = 200;
  koa.set('Content-Type', MEDIA_TYPE);
  koa.set('Cache-Control', 'no-store, no-transform');
  // Proxies that gather answers would hold events back.
  koa.set('X-Accel-Buffering', 'no');
  koa.body = stream;
}
