import type { IncomingMessage } from 'node:http';

/** Gives a request whose body has been read its body again, for who looks at nothing else of the stream than this. */
export function replayBody(request: IncomingMessage, bytes: Buffer): void {
  const again = async function* () {
    await Promise.resolve();
    yield bytes;
  };
  Object.defineProperties(request, {
    readable: { value: true },
    iterator: { value: again },
    [Symbol.asyncIterator]: { value: again },
  });
}
