import { eventually } from '../../core/processes.js';

interface Heard {
  id: string;
  kinds: string[] | null;
}

/** Opens the stream as a page does, and reads it until closed. */
export async function openStream(url: string, cookie: string, query = '') {
  const controller = new AbortController();
  const response = await fetch(`${url}/-/events?${query}`, {
    headers: { Cookie: cookie, Accept: 'text/event-stream' },
    signal: controller.signal,
  });
  const messages: Heard[] = [];
  const state = { over: false };
  let text = '';
  const read = async () => {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      const events = (text + Buffer.from(chunk).toString()).split('\n\n');
      text = events.pop() as string;
      for (const event of events) {
        const [, id, data] = /^id: (\d+)\ndata: (.*)$/.exec(event) ?? [];
        if (id && data) messages.push({ id, kinds: JSON.parse(data) as string[] | null });
      }
    }
  };
  void read()
    .catch(() => undefined)
    .finally(() => (state.over = true));
  return {
    response,
    messages,
    state,
    leave: () => controller.abort(),
    first: () => eventually(() => Promise.resolve(messages[0])),
    /** Waits for a notification of a kind. */
    hears: (kind: string) => eventually(() => Promise.resolve(messages.some(({ kinds }) => kinds?.includes(kind)))),
    kinds: () => new Set(messages.flatMap(({ kinds }) => kinds ?? [])),
  };
}
